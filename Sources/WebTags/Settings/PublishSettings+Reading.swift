public import Foundation
import Hits

extension PublishSettings {
  /// The most bytes of a text with settings.
  static let longestText = 2 << 20

  /// Reads the settings of a published page, or of a JSON file (WT-220, WT-226).
  ///
  /// - Throws: `SettingsRejection` for a text that has none; nothing else of a page matters.
  public static func parse(page: Data) throws(SettingsRejection) -> PublishSettings {
    try parse(Array(page)).settings
  }

  /// Reads settings.
  ///
  /// - Parameter isJSON: whether the text was declared as JSON; one that begins with `{` is taken for it anyway.
  /// - Returns: the settings, and whether their part was missing, so that defaults apply (WT-222).
  static func parse(
    _ text: [UInt8], isJSON: Bool = false
  ) throws(SettingsRejection) -> (settings: PublishSettings, isIncomplete: Bool) {
    guard text.count <= longestText else { throw SettingsRejection(.tooLarge, "the text has more than 2 MiB") }
    let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if isJSON || first == UInt8(ascii: "{") {
      return (PublishSettings(file: try object(text)), false)
    }
    let published = try object(SettingsObject.find(in: text))
    guard let values = published["5"]?.map else {
      var settings = PublishSettings()
      settings.raw = published
      return (settings, true)
    }
    return (PublishSettings(values, raw: published), false)
  }

  private static func object(_ text: [UInt8]) throws(SettingsRejection) -> JSONObject {
    let limits = JSONLimits(bytes: longestText, depth: 64, nodes: 200_000)
    guard let value = try? Value(json: text, limits: limits), case .map(let object) = value else {
      throw SettingsRejection(.badJSON, "the settings are not a JSON object")
    }
    return object
  }

  /// The values of `mps["5"]`; one that cannot be read is its default.
  private init(_ values: JSONObject, raw: JSONObject) {
    self.init()
    self.raw = raw
    isEnabled = SettingValue.flag(values["_is_enabled"]) ?? isEnabled
    isTagManagementEnabled = SettingValue.flag(values["enable_tag_management"]) ?? isTagManagementEnabled
    isCollectEnabled = SettingValue.flag(values["enable_collect"]) ?? isCollectEnabled
    batterySaver = SettingValue.flag(values["battery_saver"]) ?? batterySaver
    wifiOnly = SettingValue.flag(values["wifi_only_sending"]) ?? wifiOnly
    expirationDays = SettingValue.days(SettingValue.number(values["dispatch_expiration"])) ?? expirationDays
    batchSize = SettingValue.batch(SettingValue.number(values["event_batch_size"])) ?? batchSize
    refreshMinutes = SettingValue.minutes(SettingValue.number(values["minutes_between_refresh"])) ?? refreshMinutes
    queueLimit = SettingValue.limit(SettingValue.number(values["offline_dispatch_limit"])) ?? queueLimit
    logLevel = values["override_log"]?.string.flatMap { LogLevel(rawValue: $0.lowercased()) }
  }

  /// The values of a settings file (WT-226).
  private init(file: JSONObject) {
    self.init()
    raw = file
    let batching = file["batching"]?.map ?? [:]
    isEnabled = SettingValue.flag(file["disable_library"]).map { !$0 } ?? isEnabled
    isTagManagementEnabled = SettingValue.flag(file["tag_management_dispatcher"]) ?? isTagManagementEnabled
    isCollectEnabled = SettingValue.flag(file["collect_dispatcher"]) ?? isCollectEnabled
    batterySaver = SettingValue.flag(file["battery_saver"]) ?? batterySaver
    wifiOnly = SettingValue.flag(file["wifi_only"]) ?? wifiOnly
    logLevel = file["log_level"]?.string.flatMap { LogLevel(rawValue: $0.lowercased()) }
    refreshMinutes =
      SettingValue.minutes(SettingValue.seconds(file["refresh_interval"]).map { $0 / 60 }) ?? refreshMinutes
    expirationDays =
      SettingValue.days(SettingValue.seconds(batching["expiration"]).map { $0 / 86_400 }) ?? expirationDays
    batchSize = SettingValue.batch(SettingValue.number(batching["batch_size"])) ?? batchSize
    queueLimit = SettingValue.limit(SettingValue.number(batching["max_queue_size"])) ?? queueLimit
  }
}

/// Reads single settings, which publishers write as texts, numbers or booleans.
enum SettingValue {
  static func flag(_ value: Value?) -> Bool? {
    switch value {
    case .bool(let flag): flag
    case .string(let text):
      switch text.lowercased() {
      case "true": true
      case "false": false
      default: nil
      }
    case .int(0): false
    case .int(1): true
    default: nil
    }
  }

  static func number(_ value: Value?) -> Double? {
    let number: Double? =
      switch value {
      case .int(let number): Double(number)
      case .double(let number): number
      case .string(let text): Double(text.trimmingCharacters(in: .whitespaces))
      default: nil
      }
    return number?.isFinite == true ? number : nil
  }

  /// A time as `<whole number><s|m|h|d>`, in seconds; a bare number is seconds.
  static func seconds(_ value: Value?) -> Double? {
    guard let text = value?.string, let unit = text.utf8.last, unit >= UInt8(ascii: "A") else { return number(value) }
    guard let count = Int32(text.dropLast()), count >= -1 else { return nil }
    switch unit {
    case UInt8(ascii: "s"): return Double(count)
    case UInt8(ascii: "m"): return Double(count) * 60
    case UInt8(ascii: "h"): return Double(count) * 3600
    case UInt8(ascii: "d"): return Double(count) * 86_400
    default: return nil
    }
  }

  static func days(_ number: Double?) -> Double? {
    guard let number, !number.isNaN else { return nil }
    return number < 0 ? -1 : min(number, 36_500)
  }

  static func batch(_ number: Double?) -> Int? {
    guard let number, number >= 0 else { return nil }
    return min(max(Int(min(number, 10)), 1), 10)
  }

  static func minutes(_ number: Double?) -> Double? {
    guard let number, number >= 0 else { return nil }
    return number == 0 ? 0 : min(max(number, 1), 10_080)
  }

  static func limit(_ number: Double?) -> Int? {
    guard let number else { return nil }
    return number < 0 ? -1 : Int(min(number, 100_000))
  }
}
