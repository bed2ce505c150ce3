import Foundation

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

  /// The values that hold without a flag or a variable; `~` is the home directory.
  public static let defaults = (host: "127.0.0.1", port: "8080", data: "~/.local/share/tagworks")

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
