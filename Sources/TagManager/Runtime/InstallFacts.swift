import Hits

/// What the device store keeps between two runs of the app: click strings, and image tags that fire once per install.
final class InstallFacts: Sendable {
  private let store: any DeviceStore
  private let settings: Settings
  private let clicks: Locked<ClickStrings>

  init(store: any DeviceStore, settings: Settings) {
    self.store = store
    self.settings = settings
    clicks = Locked(ClickStrings())
    guard let text = Self.read(ClickStrings.storeKey, from: store, settings) else { return }
    if let kept = ClickStrings(text: text) {
      clicks.withLock { $0 = kept }
    } else {
      settings.logger.log(.warning, "The kept click strings cannot be read; they start anew.")
    }
  }

  /// The click string of a conversion id (TM-546).
  func clickString(_ id: String) -> String? { clicks.withLock { $0[id] } }

  /// Keeps the query of a pushed URL that brought a conversion.
  func record(_ update: [String: Value]) {
    let changed = clicks.withLock { clicks in clicks.record(update) ? clicks : nil }
    guard let changed else { return }
    do {
      try store.set(changed.text, for: ClickStrings.storeKey)
    } catch {
      tell(error)
    }
  }

  /// Whether an image tag of that id has fired in this install (TM-840).
  func isSpent(image id: String) -> Bool { Self.read(Self.key(ofImage: id), from: store, settings) != nil }

  /// Remembers that an image tag of that id has fired.
  func spend(image id: String) {
    do {
      try store.set("1", for: Self.key(ofImage: id))
    } catch {
      tell(error)
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

  private func tell(_ error: any Error) {
    settings.logger.log(.warning, "The device store cannot be written: \(error)")
  }
}
