import Foundation
import Hits

/// The instances of a process by their keys (WT-110, WT-111).
final class InstanceRegistry: Sendable {
  static let shared = InstanceRegistry()

  private enum Entry {
    case opening
    case live(WebTagManager)
    case closing
  }

  private let entries = Locked<[String: Entry]>([:])

  var keys: [String] {
    entries.withLock { entries in
      entries.compactMap { key, entry in
        if case .live = entry { key } else { nil }
      }.sorted { $0.precedesInBytes($1) }
    }
  }

  func instance(_ key: String) -> WebTagManager? {
    entries.withLock { entries in
      if case .live(let manager)? = entries[key] { manager } else { nil }
    }
  }

  /// The live instance of an equal configuration, or a new one.
  func open(
    _ key: String, _ configuration: WebTagsConfiguration, make: () throws(WebTagsError) -> WebTagManager
  ) throws(WebTagsError) -> WebTagManager {
    let live = try entries.withLock { entries throws(WebTagsError) -> WebTagManager? in
      switch entries[key] {
      case nil:
        entries[key] = .opening
        return nil
      case .live(let manager) where manager.configuration == configuration: return manager
      default: throw WebTagsError(.keyInUse, key, "another instance lives under this key")
      }
    }
    if let live { return live }
    do throws(WebTagsError) {
      let manager = try make()
      entries.withLock { $0[key] = .live(manager) }
      return manager
    } catch {
      entries.withLock { $0[key] = nil }
      throw error
    }
  }

  /// Marks an instance as on its way out; nil when there is none.
  func beginClosing(_ key: String) -> WebTagManager? {
    entries.withLock { entries in
      guard case .live(let manager)? = entries[key] else { return nil }
      entries[key] = .closing
      return manager
    }
  }

  func endClosing(_ key: String) { entries.withLock { $0[key] = nil } }
}
