import DurableStore
import Hits
import TagManager

/// Small texts for the life of the install, as one JSON object of a file (TM-1203).
///
/// A file that cannot be read is moved to `damaged` beside it, and the texts start anew.
final class DeviceStoreFile: DeviceStore {
  /// The longest file that is written, and so the longest that is read.
  static let limits = JSONLimits(bytes: 4 << 20, depth: 2, textBytes: 4 << 20)

  private struct State {
    /// nil until the file was read.
    var texts: [String: String]?
    /// Why the file was moved, until that is told.
    var damage: (any Error)?
  }

  private let file: AtomicFile
  private let state = Locked(State())
  /// Held while the file is written, so that the last text in memory is the last one on disk; whoever reads does not wait.
  private let writing = Locked(())
  private let warn: @Sendable (String) -> Void

  /// - Parameter warn: is told when the texts start anew.
  init(path: String, warn: @escaping @Sendable (String) -> Void = { _ in }) {
    file = AtomicFile(path: path)
    self.warn = warn
  }

  func text(for key: String) throws -> String? { try texts()[key] }

  func set(_ text: String?, for key: String) throws {
    // Outside the lock, for what it may have to tell.
    _ = try texts()
    try writing.withLock { _ in
      var changed = try texts()
      guard changed[key] != text else { return }
      changed[key] = text
      let bytes = Value.map(changed.mapValues(Value.string)).jsonBytes
      guard bytes.count <= Self.limits.bytes else {
        throw StoreError(code: .full, message: "\(file.path) would be longer than \(Self.limits.bytes) bytes")
      }
      try file.replace(with: bytes)
      state.withLock { [changed] in $0.texts = changed }
    }
  }

  private func texts() throws -> [String: String] {
    let (texts, damage) = try state.withLock { state in
      let texts = try state.texts ?? read(&state.damage)
      state.texts = texts
      return (texts, state.damage.take())
    }
    if let damage { warn("The device store cannot be read; it starts anew: \(damage)") }
    return texts
  }

  private func read(_ damage: inout (any Error)?) throws -> [String: String] {
    do {
      guard let bytes = try file.read(limit: Self.limits.bytes) else { return [:] }
      return try Self.texts(in: bytes, of: file)
    } catch {
      // What the system does not let us read now may be whole.
      if let error = error as? StoreError, error.code != .damaged { throw error }
      try file.move(toFolder: "damaged")
      damage = error
      return [:]
    }
  }

  private static func texts(in bytes: [UInt8], of file: AtomicFile) throws -> [String: String] {
    guard case .map(let entries) = try Value(json: bytes, limits: limits) else {
      throw StoreError(code: .damaged, message: "\(file.path) is no object")
    }
    return entries.compactMapValues(\.string)
  }
}
