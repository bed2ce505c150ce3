public import Foundation
public import Hits

/// Free-form data of events, commands and settings.
public typealias JSONObject = [String: Value]

/// What an app tracks.
public struct TagEvent: Sendable, Hashable {
  /// What sort of event it is.
  public enum Kind: Sendable, Hashable {
    /// A screen was shown.
    case view
    /// Something happened.
    case link
    /// A type of the universal tag's own: 1 to 64 letters, digits and `_` (WT-400).
    case custom(String)
  }

  /// What sort of event it is.
  public var kind: Kind
  /// Its title.
  public var title: String
  /// Its data.
  public var data: JSONObject
  /// The vendor tags that get it; nil for those that the universal tag chooses.
  public var tagIDs: [String]?

  /// Makes an event.
  public init(kind: Kind, title: String, data: JSONObject = [:], tagIDs: [String]? = nil) {
    self.kind = kind
    self.title = title
    self.data = data
    self.tagIDs = tagIDs
  }

  /// The type that the page gets.
  var type: String {
    switch kind {
    case .view: "view"
    case .link: "link"
    case .custom(let type): type
    }
  }

  /// Whether the type may be handed to a page (WT-400).
  static func isType(_ type: String) -> Bool {
    (1...64).contains(type.utf8.count)
      && type.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}

/// An event on its way to the page, with all data it will have there but for the keys that delivery sets.
public struct QueuedEvent: Sendable, Hashable, Codable {
  /// The id, the same on each delivery.
  public var id: UUID
  /// The type that the page gets.
  public var type: String
  /// The title.
  public var title: String
  /// Milliseconds since 1970 of the call that tracked it.
  public var time: Int64
  /// The data.
  public var data: JSONObject
  /// The vendor tags that get it.
  public var tagIDs: [String]?
  /// How often the page ended while the event was under suspicion.
  public var deaths: Int
  /// Bytes of the data as JSON.
  public var bytes: Int

  /// Makes an event.
  public init(
    id: UUID, type: String, title: String, time: Int64, data: JSONObject, tagIDs: [String]? = nil, deaths: Int = 0,
    bytes: Int = 0
  ) {
    self.id = id
    self.type = type
    self.title = title
    self.time = time
    self.data = data
    self.tagIDs = tagIDs
    self.deaths = deaths
    self.bytes = bytes
  }

  /// What the queue knows of it.
  public var summary: EventSummary {
    EventSummary(id: id, time: time, bytes: bytes, type: type, title: title, deaths: deaths)
  }
}
