import CLibFuzzer
import Decoders
import Foundation

/// Gives every decoder the inputs that libFuzzer finds by coverage.
///
/// The arguments are libFuzzer's own: directories of inputs, then flags such as `-max_total_time=60`. The first
/// directory is made when it is not there, and gets our seeds.
@main
struct Guided {
  static func main() {
    if CommandLine.arguments.count > 1, !CommandLine.arguments[1].hasPrefix("-") { fill(CommandLine.arguments[1]) }
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(LLVMFuzzerRunDriver(&count, &arguments, tryInput))
  }

  private static func fill(_ directory: String) {
    try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    for target in Target.all() {
      for (index, seed) in target.seeds.enumerated() {
        let path = "\(directory)/seed-\(target.name)-\(index)"
        guard FileManager.default.createFile(atPath: path, contents: Data(seed)) else {
          fatalError("cannot write \(path)")
        }
      }
    }
  }
}
