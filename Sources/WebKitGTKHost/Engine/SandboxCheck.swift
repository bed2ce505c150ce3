import Foundation
import WebTags

/// Whether bubblewrap can make the namespaces of WebKit's sandbox here.
///
/// WebKit ends the process where they cannot be made, so this is asked before it starts (WT-734).
enum SandboxCheck {
  /// Nil when it works, else what is wrong and which package helps.
  static func failure() -> String? {
    guard let program = Executables.find("bwrap") else {
      return "bwrap is not installed (Debian package bubblewrap)"
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [
      "--die-with-parent", "--unshare-pid", "--unshare-uts", "--unshare-ipc", "--unshare-net", "--ro-bind", "/", "/",
      "--proc", "/proc", "--dev", "/dev", "--", "/bin/true",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return "bwrap could not be run: \(error.localizedDescription)" }
    process.waitUntilExit()
    return process.terminationStatus == 0 && process.terminationReason == .exit
      ? nil : "bwrap cannot make its namespaces here: a container must allow user namespaces"
  }
}

/// Programs on the search path.
enum Executables {
  /// The path of a program; nil when there is none.
  static func find(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
  }
}
