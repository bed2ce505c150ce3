import Foundation
import Hits

/// What `tagworks serve` is told (CO-101, CO-102).
public struct ServeSettings: Sendable, Hashable {
  /// The numeric address to listen on, or `localhost`.
  public var host: String
  /// The port; 0 takes a free one.
  public var port: UInt16
  /// The data directory.
  public var data: String
  /// The properties whose hits are taken; without any, a server that only this machine can reach takes all (HQ-714).
  public var properties: [Property]
  /// Whether `/collect` and `/batch` need a write key too (HQ-714).
  public var requiresKey = false
  /// Days that a hit is kept; nil for ever (CO-702).
  public var retentionDays: Int?
  /// Days that an id is known, 2 to 400 (HQ-711).
  public var dedupeDays = 45
  /// How much of a client's address is kept (HQ-713).
  public var addresses = AddressPolicy.masked

  /// The values that hold without a flag or a variable; `~` is the home directory.
  public static let defaults = (host: "127.0.0.1", port: "8080", data: "~/.local/share/tagworks")

  /// The web origins whose pages may call `/collect`, `/batch` and `/debug/collect`; empty for all (HQ-700).
  public var origins: [String] = []

  /// The file of the console's database; nil for `console.sqlite3` in the data directory (CO-102).
  public var database: String?
  /// Where browsers and apps reach the server, without a slash at the end; nil for where it listens.
  public var publicURL: String?

  /// Makes settings.
  public init(host: String = "127.0.0.1", port: UInt16 = 8080, data: String, properties: [Property] = []) {
    self.host = host
    self.port = port
    self.data = data
    self.properties = properties
  }

  /// Reads settings from the texts of flags, else of `TAGWORKS_HOST`, `TAGWORKS_PORT`, `TAGWORKS_DATA` and
  /// `TAGWORKS_PROPERTY` (several between commas), else the defaults.
  ///
  /// - Parameters:
  ///   - properties: each `ID` or `ID=WRITE-KEY`; an id may come again with another key.
  /// - Throws: `invalidSetting` with one line for the person at the terminal.
  public init(
    host: String? = nil, port: String? = nil, data: String? = nil, properties: [String] = [],
    requiresKey: Bool = false, retention: String? = nil, dedupe: String? = nil, addresses: String? = nil,
    origins: [String] = [], database: String? = nil, publicURL: String? = nil,
    environment: [String: String]
  ) throws(ConsoleError) {
    self.host = host ?? environment["TAGWORKS_HOST"] ?? Self.defaults.host
    guard !self.host.isEmpty else { throw Self.invalid("--host is empty") }
    let portText = port ?? environment["TAGWORKS_PORT"] ?? Self.defaults.port
    guard portText.allSatisfy(\.isNumber), let number = UInt16(portText) else {
      throw Self.invalid("--port \(portText) is not a number from 0 to 65535")
    }
    self.port = number
    let place = data ?? environment["TAGWORKS_DATA"] ?? Self.defaults.data
    guard !place.isEmpty else { throw Self.invalid("--data is empty") }
    self.data = (place as NSString).expandingTildeInPath
    let named = environment["TAGWORKS_PROPERTY"]?.split(separator: ",").map(String.init) ?? []
    self.properties = []
    for text in properties.isEmpty ? named : properties { self.properties.append(try Self.property(text)) }
    self.requiresKey = requiresKey || environment["TAGWORKS_REQUIRE_KEY"] == "1"
    retentionDays = try Self.days(retention ?? environment["TAGWORKS_RETENTION"], "--retention", 1...36_500)
    dedupeDays = try Self.days(dedupe ?? environment["TAGWORKS_DEDUPE"], "--dedupe", 2...400) ?? 45
    let policy = addresses ?? environment["TAGWORKS_ADDRESSES"] ?? AddressPolicy.masked.rawValue
    guard let kept = AddressPolicy(rawValue: policy) else {
      throw Self.invalid("--addresses \(policy) is not full, masked or none")
    }
    self.addresses = kept
    let pages = environment["TAGWORKS_ORIGIN"]?.split(separator: ",").map(String.init) ?? []
    self.origins = origins.isEmpty ? pages : origins
    self.database = try Self.databasePath(database ?? environment["TAGWORKS_DATABASE"])
    self.publicURL = try Self.address(publicURL ?? environment["TAGWORKS_PUBLIC_URL"])
  }

  private static func databasePath(_ text: String?) throws(ConsoleError) -> String? {
    guard let text else { return nil }
    let path = text.hasPrefix("sqlite:") ? String(text.dropFirst(7)) : ""
    guard !path.isEmpty else { throw invalid("--database \(text) is not sqlite:PATH") }
    return (path as NSString).expandingTildeInPath
  }

  private static func address(_ text: String?) throws(ConsoleError) -> String? {
    guard let text else { return nil }
    guard let url = WebURL(text), url.query == nil, !text.contains("#"), text.utf8.count <= 1024 else {
      throw invalid("--public-url \(text) is not an http or https URL without a query")
    }
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  private static func days(
    _ text: String?, _ flag: String, _ range: ClosedRange<Int>
  ) throws(ConsoleError) -> Int? {
    guard let text else { return nil }
    guard let days = Int(text), range.contains(days) else {
      throw invalid("\(flag) \(text) is not a number of days from \(range.lowerBound) to \(range.upperBound)")
    }
    return days
  }

  private static func property(_ text: String) throws(ConsoleError) -> Property {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let id = parts.first, let property = Property(id: id, writeKeys: Set(parts.dropFirst())) else {
      throw invalid(
        "--property \(parts.first ?? "") is not a property id: UA-12345-1, or up to 64 of A-Z a-z 0-9 . _ : -")
    }
    guard !property.writeKeys.contains("") else { throw invalid("--property \(property.id)= has an empty write key") }
    return property
  }

  private static func invalid(_ message: String) -> ConsoleError {
    ConsoleError(code: .invalidSetting, message: message)
  }
}
