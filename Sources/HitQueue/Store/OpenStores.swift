import DurableStore
import Foundation
import Hits

/// The stores that this process has open, by directory: two users of one directory share one (HQ-322), and what any of
/// them has in memory is committed when the process exits (HQ-316).
enum OpenStores {
  private struct Entry: Sendable {
    weak var store: HitStore?
  }

  private static let stores = Locked<[String: Entry]>([:])
  // Installed once, with the first store.
  private static let exitHook: Void = { atexit { OpenStores.flushAll() } }()

  static func store(
    at directory: String, open: () throws(StoreError) -> HitStore
  ) throws(StoreError) -> HitStore {
    _ = exitHook
    return try stores.withLock { stores throws(StoreError) in
      stores = stores.filter { $0.value.store != nil }
      if let store = stores[directory]?.store { return store }
      let store = try open()
      stores[directory] = Entry(store: store)
      return store
    }
  }

  /// Whether anybody in this process has the store of a directory open.
  static func holds(_ directory: String) -> Bool { stores.withLock { $0[directory]?.store != nil } }

  private static func flushAll() {
    for store in stores.withLock({ $0.values.compactMap(\.store) }) {
      do { try store.flush() } catch {
        FileHandle.standardError.write(Data("Tagworks: hits in memory could not be written: \(error)\n".utf8))
      }
    }
  }
}
