import Foundation
package import Hits

/// The queries of the URLs that brought the person here, by conversion id (TM-546).
///
/// At most 100 ids; the one not seen for longest goes first. A query over 8 KiB is not kept.
package struct ClickStrings: Sendable, Hashable {
  /// Under which key a `DeviceStore` keeps the text.
  package static let storeKey = "clickStrings"
  private static let limit = 100
  private static let queryLimit = 8_192

  private struct Entry: Sendable, Hashable, Codable {
    var id: String
    var query: String
  }

  private var entries: [Entry] = []

  package init() {}

  /// Reads what `text` wrote; nil for anything else.
  package init?(text: String) {
    guard let entries = try? JSONDecoder().decode([Entry].self, from: Data(text.utf8)) else { return nil }
    self.entries = entries.suffix(Self.limit)
  }

  /// The strings as one text, for a store.
  package var text: String {
    get throws { String(decoding: try JSONEncoder().encode(entries), as: UTF8.self) }
  }

  /// The query kept for a conversion id.
  package subscript(id: String) -> String? { entries.last { $0.id == id }?.query }

  /// Keeps the query of an update's `gtm.url` when it has a `conv` item; tells whether anything changed.
  package mutating func record(_ update: [String: Value]) -> Bool {
    let url = update["gtm.url"]?.string ?? update["gtm"]?.map?["url"]?.string
    guard let query = url.flatMap(QueryText.init(ofURL:)), let id = query["conv"], !id.isEmpty,
      query.text.utf8.count <= Self.queryLimit
    else { return false }
    let entry = Entry(id: id, query: query.text)
    guard entries.last != entry else { return false }
    entries.removeAll { $0.id == id }
    entries.append(entry)
    entries.removeFirst(max(0, entries.count - Self.limit))
    return true
  }
}
