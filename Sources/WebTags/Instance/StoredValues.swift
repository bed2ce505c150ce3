import Foundation
import Hits

/// Published settings as they are kept (WT-230).
struct PublishedSettings: Sendable, Equatable, Codable {
  var settings: PublishSettings
  var etag: String?
  var lastModified: String?
  /// Milliseconds since 1970.
  var time: Int64
}

/// What an instance keeps besides its events, and its keys; a value that cannot be read counts as none.
struct StoredValues: Sendable {
  static let visitor = "visitor"
  static let persistent = "persistent"
  static let consent = "consent"
  static let session = "session"
  static let lifecycle = "lifecycle"
  static let settings = "settings"
  static let page = "page"
  static func commandFile(_ id: String) -> String { "command." + id }

  private let store: any KeyValueStore

  init(_ store: any KeyValueStore) { self.store = store }

  var visitorID: String? {
    store.value(of: Self.visitor).flatMap { String(validating: $0, as: UTF8.self) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  var persistent: JSONObject {
    store.value(of: Self.persistent).flatMap { try? Value(json: $0).map } ?? [:]
  }

  var session: Session { read(Self.session) ?? Session() }
  var lifecycle: LifecycleState { read(Self.lifecycle) ?? LifecycleState() }
  var settings: PublishedSettings? { read(Self.settings) }
  var page: CachedPage? { store.value(of: Self.page).flatMap { CachedPage(stored: $0) } }

  private func read<Content: Decodable>(_ key: String) -> Content? {
    store.value(of: key).flatMap { try? JSONDecoder().decode(Content.self, from: Data($0)) }
  }

  static func bytes(_ content: some Encodable) -> [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(content)).map(Array.init)
  }
}
