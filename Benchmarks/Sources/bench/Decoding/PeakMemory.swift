import Foundation

/// The most memory that a process of its own takes when it decodes a file.
enum PeakMemory {
  static let inputBytes = 4 << 20
  static let option = "--peak-memory-of"

  enum Form: String, CaseIterable {
    case binary = "binary"
    case compiledJSON = "compiled JSON"

    func input() throws -> Data {
      try ContainerText.constants(30_000, bytes: inputBytes) { text in
        self == .binary ? try ContainerText.binary(text) : Data(text.utf8)
      }
    }
  }

  /// Starts this program again to decode the data; nil where the system does not tell.
  static func ofOwnProcess(decoding data: Data) throws -> Double? {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
    try data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try OwnProcess.figures([option, file.path]).first
  }

  /// Decodes a file and prints by how many bytes the process grew at most, the file's own bytes included.
  static func print(ofDecoding path: String) throws {
    // What the first decoding of anything loads is no part of the input's cost.
    try DecodingBenchmarks.decode(Data(ContainerText.constants(1, textLength: 1).utf8))
    let before = OwnProcess.memory("VmRSS:")
    try DecodingBenchmarks.decode(Data(contentsOf: URL(fileURLWithPath: path)))
    guard let before, let peak = OwnProcess.memory("VmHWM:") else { return Swift.print("unknown") }
    Swift.print(peak - before)
  }
}
