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
  /// Hits a second that an address or a key may send; ten times as many at once (HQ-714).
  public var rate = 1000
  /// How long and how much of each property's hits is kept (CO-702).
  public var retention = RetentionPolicy()
  /// Days that an id is known, 2 to 400 (HQ-711).
  public var dedupeDays = 45
  /// How much of a client's address is kept (HQ-713).
  public var addresses = AddressPolicy.masked
  /// The web origins whose pages may call `/collect`, `/batch` and `/debug/collect`; empty for all (HQ-700).
  public var origins: [String] = []
  /// The proxies that are believed when they say whose request it is.
  public var trustedProxies = TrustedProxies()
  /// The form of the log (CO-105).
  public var logFormat = LogFormat.text
  /// The file of the console's database; nil for `console.sqlite3` in the data directory (CO-102).
  public var database: String?
  /// Where browsers and apps reach the server, without a slash at the end; nil for where it listens.
  public var publicURL: String?
  /// The files of the keys that sign containers (TM-440).
  public var signingKeys: [String] = []
  /// The directory to which live containers are written as plain files; nil for none (CO-406).
  public var site: String?
  /// Whether a sample container is made, and an app runs that uses it.
  public var isDemo = false

  /// The values that hold without a flag or a variable; `~` is the home directory.
  public static let defaults = (host: "127.0.0.1", port: "8080", data: "~/.local/share/tagworks")

  /// Makes settings.
  public init(host: String = "127.0.0.1", port: UInt16 = 8080, data: String, properties: [Property] = []) {
    self.host = host
    self.port = port
    self.data = data
    self.properties = properties
  }
}

/// The form of the server's log.
public enum LogFormat: String, Sendable, Hashable, CaseIterable {
  /// A line for a person.
  case text
  /// An object of JSON a line.
  case json
}
