import Foundation

/// A shell script in a directory of its own, in place of a program.
///
/// Another process writes it: while this one has it open for writing, a child that is started at that moment has it too,
/// and the system runs no program that somebody may still write.
package final class ShellScript: Sendable {
  private let directory: TemporaryDirectory
  /// Its path.
  package let path: String

  package init(_ text: String, name: String = "webhost") throws {
    directory = try TemporaryDirectory()
    path = directory.file(name)
    let writer = Process()
    let input = Pipe()
    writer.executableURL = URL(fileURLWithPath: "/bin/sh")
    writer.arguments = ["-c", "cat > \"$0\" && chmod 700 \"$0\"", path]
    writer.standardInput = input
    try writer.run()
    try input.fileHandleForWriting.write(contentsOf: Data("#!/bin/sh\n\(text)\n".utf8))
    try input.fileHandleForWriting.close()
    writer.waitUntilExit()
    guard writer.terminationStatus == 0 else { throw ContractFailure(description: "\(path) could not be written") }
  }
}
