import Foundation
import Hits

extension WebTagsConfiguration {
  /// Checks every field (WT-101, WT-103); nothing is opened or fetched.
  ///
  /// - Throws: `invalidConfiguration` with the field.
  public func validate() throws(WebTagsError) {
    try Self.require(Self.isName(account), "account", "is not 1 to 64 of A-Z a-z 0-9 . _ -")
    try Self.require(Self.isName(profile), "profile", "is not 1 to 64 of A-Z a-z 0-9 . _ -")
    try Self.require(Self.isName(environment), "environment", "is not 1 to 64 of A-Z a-z 0-9 . _ -")
    if let dataSource, !dataSource.isEmpty {
      try Self.require(Self.isName(dataSource), "dataSource", "is not 1 to 64 of A-Z a-z 0-9 . _ -")
    }
    if let settingsProfile {
      try Self.require(Self.isName(settingsProfile), "settingsProfile", "is not 1 to 64 of A-Z a-z 0-9 . _ -")
    }
    try requireSecure(deliveryBase, "deliveryBase")
    if let pageURL { try requireSecure(pageURL, "pageURL") }
    if let settingsURL { try requireSecure(settingsURL, "settingsURL") }
    if case .bundled(_, let base) = pageMode { try requireSecure(base, "pageMode") }
    try Self.require(Self.isScheme(commandScheme), "commandScheme", "is no scheme, or one of the web's")
    try Self.require(flushRate > 0, "flushRate", "is not above 0")
    try Self.require((16...4096).contains(memoryLimit), "memoryLimit", "is not 16 to 4096")
    try universalTag.validate(allowInsecure: network.allowInsecure)
    if universalTag.needsShell, pageMode == .fetched || pageMode == .direct, pageURL == nil {
      throw Self.invalid("pageMode", "there is no published page for \(universalTag.id): .generated or .bundled")
    }
    if pageMode == .generated, universalTag.scriptURL(of: self) == nil {
      throw Self.invalid("pageMode", "\(universalTag.id) names no script to make a page around")
    }
    if integrity.unpinned == .deny, pageMode == .generated,
      let script = universalTag.scriptURL(of: self), integrity.pins[script] == nil
    {
      throw Self.invalid("integrity", "only pinned scripts run, and the universal tag's has no pin")
    }
    if pageMode != .generated, integrity.pins.keys.contains(where: { $0 != PageAddress.pageURL(of: self) }) {
      throw Self.invalid("integrity", "a script is pinned, and only pages made here can hold it to that")
    }
  }

  private func requireSecure(_ url: URL, _ field: String) throws(WebTagsError) {
    guard let parts = WebURL(url.absoluteString) else { throw Self.invalid(field, "is no absolute https URL") }
    try Self.require(
      parts.isSecure || parts.isLoopback || network.allowInsecure, field, "is neither https nor a loopback host")
  }

  private static func require(_ holds: Bool, _ field: String, _ reason: String) throws(WebTagsError) {
    if !holds { throw invalid(field, reason) }
  }

  static func invalid(_ field: String, _ reason: String) -> WebTagsError {
    WebTagsError(.invalidConfiguration, field, "\(field) \(reason)")
  }

  static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text != "." && text != ".." && text.utf8.allSatisfy(isNameByte)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private static func isScheme(_ text: String) -> Bool {
    let taken: Set<String> = [
      "http", "https", "ws", "wss", "file", "ftp", "data", "blob", "about", "javascript", "mailto",
    ]
    guard (1...32).contains(text.utf8.count), !taken.contains(text), let first = text.utf8.first else { return false }
    return UInt8(ascii: "a")...UInt8(ascii: "z") ~= first
      && text.utf8.allSatisfy {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: ".")
      }
  }
}
