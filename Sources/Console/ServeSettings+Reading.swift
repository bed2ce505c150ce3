import Foundation
import Hits

extension ServeSettings {
  /// Reads settings from flags, else from the environment, where `--trusted-proxy` is `TAGWORKS_TRUSTED_PROXY` and several
  /// values stand between commas, else the defaults.
  ///
  /// - Parameter flags: the values of each flag; of one without a value, an empty one.
  /// - Throws: `invalidSetting` with one line for the person at the terminal.
  public init(flags: [String: [String]] = [:], environment: [String: String]) throws(ConsoleError) {
    let texts = Texts(flags: flags, environment: environment)
    let host = texts.one("--host") ?? Self.defaults.host
    guard !host.isEmpty else { throw Self.invalid("--host is empty") }
    let port = texts.one("--port") ?? Self.defaults.port
    guard port.allSatisfy(\.isNumber), let number = UInt16(port) else {
      throw Self.invalid("--port \(port) is not a number from 0 to 65535")
    }
    let place = texts.one("--data") ?? Self.defaults.data
    guard !place.isEmpty else { throw Self.invalid("--data is empty") }
    self.init(host: host, port: number, data: (place as NSString).expandingTildeInPath)
    for text in texts.all("--property") { properties.append(try Self.property(text)) }
    requiresKey = texts.isSet("--require-key")
    rate = try texts.number("--rate", 1...1_000_000) ?? rate
    retention = try Self.retention(texts)
    dedupeDays = try texts.number("--dedupe", 2...400, "a number of days") ?? dedupeDays
    addresses = try texts.choice("--addresses", addresses)
    origins = texts.all("--origin")
    for text in texts.all("--trusted-proxy") {
      guard let block = AddressBlock(text) else {
        throw Self.invalid("--trusted-proxy \(text) is not an address or a block of addresses, such as 10.0.0.0/8")
      }
      trustedProxies.blocks.append(block)
    }
    logFormat = try texts.choice("--log-format", logFormat)
    database = try Self.databasePath(texts.one("--database"))
    publicURL = try Self.address(texts.one("--public-url"))
    signingKeys = texts.all("--signing-key").map { ($0 as NSString).expandingTildeInPath }
    isDemo = texts.isSet("--demo")
    site = texts.one("--site").map { ($0 as NSString).expandingTildeInPath }
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

  private static func property(_ text: String) throws(ConsoleError) -> Property {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let id = parts.first, let property = Property(id: id, writeKeys: Set(parts.dropFirst())) else {
      throw invalid(
        "--property \(parts.first ?? "") is not a property id: UA-12345-1, or up to 64 of A-Z a-z 0-9 . _ : -")
    }
    guard !property.writeKeys.contains("") else { throw invalid("--property \(property.id)= has an empty write key") }
    return property
  }

  /// Days and megabytes, each for all properties or behind `ID=` for one.
  private static func retention(_ texts: Texts) throws(ConsoleError) -> RetentionPolicy {
    var policy = RetentionPolicy()
    func read(
      _ flag: String, _ range: ClosedRange<Int>, _ unit: String, _ set: (inout RetentionPolicy.Bounds, Int) -> Void
    ) throws(ConsoleError) {
      for text in texts.all(flag) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let number = try Texts.number(parts.last ?? "", flag, range, unit)
        guard parts.count == 2 else {
          set(&policy.standard, number)
          continue
        }
        guard Property.isID(parts[0]) else { throw invalid("\(flag) \(text): \(parts[0]) is not a property id") }
        set(&policy.byProperty[parts[0], default: RetentionPolicy.Bounds()], number)
      }
    }
    try read("--retention", 1...36_500, "a number of days") { $0.days = $1 }
    try read("--retention-size", 1...1_000_000_000, "a number of megabytes") { $0.bytes = Int64($1) * 1_000_000 }
    return policy
  }

  fileprivate static func invalid(_ message: String) -> ConsoleError {
    ConsoleError(code: .invalidSetting, message: message)
  }

  /// The texts of flags, else of the environment.
  private struct Texts {
    var flags: [String: [String]]
    var environment: [String: String]

    func one(_ flag: String) -> String? { flags[flag]?.last ?? variable(flag) }

    func all(_ flag: String) -> [String] {
      flags[flag] ?? variable(flag)?.split(separator: ",").map(String.init) ?? []
    }

    func isSet(_ flag: String) -> Bool { flags[flag] != nil || variable(flag) == "1" }

    func number(_ flag: String, _ range: ClosedRange<Int>, _ unit: String = "a number") throws(ConsoleError) -> Int? {
      guard let text = one(flag) else { return nil }
      return try Self.number(text, flag, range, unit)
    }

    static func number(
      _ text: String, _ flag: String, _ range: ClosedRange<Int>, _ unit: String
    ) throws(ConsoleError) -> Int {
      guard let number = Int(text), range.contains(number) else {
        throw invalid("\(flag) \(text) is not \(unit) from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
      _ flag: String, _ standard: Choice
    ) throws(ConsoleError) -> Choice where Choice.RawValue == String {
      guard let text = one(flag) else { return standard }
      if let choice = Choice(rawValue: text) { return choice }
      let words = Choice.allCases.map(\.rawValue)
      let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
      throw invalid("\(flag) \(text) is not \(list)")
    }

    private func variable(_ flag: String) -> String? {
      environment["TAGWORKS_" + flag.dropFirst(2).uppercased().replacing("-", with: "_")]
    }
  }
}
