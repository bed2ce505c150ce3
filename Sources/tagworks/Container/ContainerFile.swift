import Foundation
import TagManager

/// A container's file, read and decoded.
struct ContainerFile {
  let path: String
  let bytes: [UInt8]
  let result: DecodeResult

  /// Reads a file, never past the decoder's limit.
  init(path: String) throws(CommandFailure) {
    let limit = DecodeLimits.standard.bytes
    let data = try InputFile(path: path).data(limit: limit + 1)
    self.init(bytes: Array(data), path: path)
  }

  /// Takes bytes under the name of a file.
  init(bytes: [UInt8], path: String) {
    self.path = path
    self.bytes = bytes
    result = ContainerDecoder.decode(bytes, id: nil)
  }

  /// The container; without one, what is wrong goes to standard error and the command ends.
  func container() throws(CommandFailure) -> CompiledContainer {
    for diagnostic in result.diagnostics where diagnostic.severity != .info {
      Output.message(DiagnosticText.line(diagnostic, file: path))
    }
    guard let container = result.container else { throw CommandFailure("\(path) is not usable") }
    return container
  }

  /// The id to open it by: its own, else the file's name without its extension, else one of our own.
  func id(of container: CompiledContainer) -> ContainerID {
    if let id = container.id { return id }
    let name = ContainerID(URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent)
    return name.isValid ? name : "container"
  }
}

/// A diagnostic as one line: place, severity, code, sentence.
enum DiagnosticText {
  static func line(_ diagnostic: Diagnostic, file: String) -> String {
    let place = [file, diagnostic.location].compactMap { $0 }.joined(separator: ": ")
    return "\(place): \(diagnostic.severity.rawValue) \(diagnostic.code): \(diagnostic.message)"
  }
}
