import Dispatch
import Hits

/// What the device store keeps between two runs of the app: click strings, and image tags that fire once per install.
///
/// It is written in the background, one call at a time: no push waits for the disk (TM-1202). Of click strings that
/// change while a write is under way only the latest are written.
final class InstallFacts: Sendable {
  private struct State {
    var clicks = ClickStrings()
    var areClicksWritten = true
    /// The images that have fired in this run, whatever the disk says.
    var spent: Set<String> = []
    var unwritten: [String] = []
    var isWriting = false

    mutating func nextChange() -> Change? {
      if !areClicksWritten {
        areClicksWritten = true
        return .clicks(clicks)
      }
      if let id = unwritten.popLast() { return .spent(id) }
      isWriting = false
      return nil
    }

    /// True when the caller must see to the writing.
    mutating func beginWriting() -> Bool {
      defer { isWriting = true }
      return !isWriting
    }
  }

  private enum Change {
    case clicks(ClickStrings)
    case spent(String)
  }

  private let store: any DeviceStore
  private let settings: Settings
  private let state = Locked(State())
  private let queue = DispatchQueue(label: "Tagworks.install-facts")

  init(store: any DeviceStore, settings: Settings) {
    self.store = store
    self.settings = settings
    guard let text = Self.read(ClickStrings.storeKey, from: store, settings) else { return }
    if let kept = ClickStrings(text: text) {
      state.withLock { $0.clicks = kept }
    } else {
      settings.logger.log(.warning, "The kept click strings cannot be read; they start anew.")
    }
  }

  /// The click string of a conversion id (TM-546).
  func clickString(_ id: String) -> String? { state.withLock { $0.clicks[id] } }

  /// Keeps the query of a pushed URL that brought a conversion.
  func record(_ update: [String: Value]) {
    let begins = state.withLock { state in
      guard state.clicks.record(update) else { return false }
      state.areClicksWritten = false
      return state.beginWriting()
    }
    if begins { queue.async { self.writeAll() } }
  }

  /// Whether an image tag of that id has fired in this install (TM-840).
  func isSpent(image id: String) -> Bool {
    state.withLock { $0.spent.contains(id) } || Self.read(Self.key(ofImage: id), from: store, settings) != nil
  }

  /// Remembers that an image tag of that id has fired.
  func spend(image id: String) {
    let begins = state.withLock { state in
      guard state.spent.insert(id).inserted else { return false }
      state.unwritten.append(id)
      return state.beginWriting()
    }
    if begins { queue.async { self.writeAll() } }
  }

  /// Waits until everything is handed to the store.
  func flush() { queue.sync {} }

  private func writeAll() {
    while let change = state.withLock({ $0.nextChange() }) {
      do {
        switch change {
        case .clicks(let clicks): try store.set(clicks.text, for: ClickStrings.storeKey)
        case .spent(let id): try store.set("1", for: Self.key(ofImage: id))
        }
      } catch {
        settings.logger.log(.warning, "The device store cannot be written: \(error)")
      }
    }
  }

  private static func key(ofImage id: String) -> String { "image.\(id)" }

  private static func read(_ key: String, from store: any DeviceStore, _ settings: Settings) -> String? {
    do {
      return try store.text(for: key)
    } catch {
      settings.logger.log(.warning, "The device store cannot be read: \(error)")
      return nil
    }
  }
}
