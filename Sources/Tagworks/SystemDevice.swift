import Foundation
import Hits
import TagManager

/// What the system tells of the device and the app.
enum SystemDevice {
  /// Reads the facts once; the install's id is made at the first start and kept.
  static func facts(appID: String, installID: String) -> FixedDevice {
    let version = ProcessInfo.processInfo.operatingSystemVersion
    let info = Bundle.main.infoDictionary ?? [:]
    return FixedDevice(
      platform: platform, osVersion: "\(version.majorVersion).\(version.minorVersion)", model: model,
      language: language(), appName: text("CFBundleDisplayName", info) ?? text("CFBundleName", info), appID: appID,
      appVersion: text("CFBundleShortVersionString", info), installID: installID)
  }

  /// The bundle's id, or the program's name where there is no bundle.
  static var appID: String { Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName }

  /// The id that this install was given at its first start.
  static func installID(in store: some DeviceStore) throws -> String {
    if let id = try store.text(for: "install") { return id }
    let id = UUID().uuidString.lowercased()
    try store.set(id, for: "install")
    return id
  }

  private static func text(_ key: String, _ info: [String: Any]) -> String? { info[key] as? String }

  private static var platform: String {
    #if os(tvOS)
      "tvOS"
    #elseif os(watchOS)
      "watchOS"
    #elseif os(macOS)
      "macOS"
    #elseif canImport(Darwin)
      "iOS"
    #else
      "Linux"
    #endif
  }

  private static var model: String {
    var facts = utsname()
    uname(&facts)
    return withUnsafeBytes(of: facts.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// The preferred language; on Linux from the variables that programs go by.
  static func language(_ variables: [String: String] = ProcessInfo.processInfo.environment) -> String {
    #if canImport(Darwin)
      return Locale.preferredLanguages.first ?? "en"
    #else
      let names = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { variables[$0] }.filter { !$0.isEmpty }
      let name = (names.first ?? "").prefix { $0 != "." && $0 != "@" }.replacingOccurrences(of: "_", with: "-")
      return ["", "C", "POSIX"].contains(name) ? "en" : name
    #endif
  }
}
