import DurableStore
import Hits
import TagManager

/// Small texts for the life of the install, as one JSON object of a file (TM-1203).
final class DeviceStoreFile: DeviceStore {
  private let file: AtomicFile
  /// nil until the file was read.
  private let texts = Locked<[String: String]?>(nil)

  init(path: String) { file = AtomicFile(path: path) }

  func text(for key: String) throws -> String? {
    try texts.withLock { try read(&$0)[key] }
  }

  func set(_ text: String?, for key: String) throws {
    // Held while the file is written, so that the last text in memory is the last one on disk.
    try texts.withLock { texts in
      var changed = try read(&texts)
      guard changed[key] != text else { return }
      changed[key] = text
      try file.replace(with: Value.map(changed.mapValues(Value.string)).jsonBytes)
      texts = changed
    }
  }

  private func read(_ texts: inout [String: String]?) throws -> [String: String] {
    if let texts { return texts }
    var read: [String: String] = [:]
    if let bytes = try file.read(), case .map(let entries) = try Value(json: bytes) {
      for case (let key, .string(let text)) in entries { read[key] = text }
    }
    texts = read
    return read
  }
}
