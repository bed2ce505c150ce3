public import Hits

/// What is sent, or whose function is called, when one of its triggers fires (CO-203).
public struct Tag: Entity {
  /// What entities of the type are.
  public static let kind = EntityKind.tag
  /// Everything the export says about it.
  public var fields: [String: Value]

  /// Makes a tag of its fields.
  public init(fields: [String: Value]) { self.fields = fields }

  /// The triggers that fire it, by id.
  public var firingTriggerIDs: [String] {
    get { fields.texts("firingTriggerId") }
    set { fields["firingTriggerId"] = .list(newValue.map(Value.string)) }
  }

  /// The triggers that keep it from firing, by id.
  public var blockingTriggerIDs: [String] {
    get { fields.texts("blockingTriggerId") }
    set { fields["blockingTriggerId"] = .list(newValue.map(Value.string)) }
  }

  /// Whether it is switched off: a paused tag is not compiled.
  public var isPaused: Bool { fields.isTrue("paused") }
  /// Whether it stays quiet in preview.
  public var isLiveOnly: Bool { fields.isTrue("liveOnly") }
  /// Whether it fires at most once from open to close of the container.
  public var isOncePerLoad: Bool { fields.text("tagFiringOption") == "ONCE_PER_LOAD" }

  /// Tags with a higher number fire first; nil when it is no number.
  public var priority: Int64? {
    guard let priority = fields["priority"]?.map else { return 0 }
    return Int64(Parameter(fields: priority).text)
  }

  /// The wall time in milliseconds from which on it fires.
  public var scheduleStart: Int64? { milliseconds("scheduleStartMs") }
  /// The wall time in milliseconds before which it fires.
  public var scheduleEnd: Int64? { milliseconds("scheduleEndMs") }

  /// The consent types that must be granted before it fires.
  public var consentTypes: [String] {
    let settings = fields["consentSettings"]?.map ?? [:]
    guard settings.text("consentStatus") == "NEEDED", let types = settings["consentType"]?.map else { return [] }
    return Parameter(fields: types).items.map(\.text)
  }

  /// Another tag that runs before or after this one.
  public struct Companion: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// Before this tag, whether its failure stops it; after this tag, whether it is left out when this tag failed.
    public var stopsOnFailure: Bool
  }

  /// Tags that run right before this one, in order.
  public var setupTags: [Companion] { companions("setupTag", "stopOnSetupFailure") }
  /// Tags that run right after this one, in order.
  public var teardownTags: [Companion] { companions("teardownTag", "stopTeardownOnFailure") }

  private func companions(_ key: String, _ flag: String) -> [Companion] {
    fields.maps(key).map { Companion(name: $0.text("tagName"), stopsOnFailure: $0.isTrue(flag)) }
  }

  private func milliseconds(_ key: String) -> Int64? {
    switch fields[key] {
    case .string(let text): Int64(text)
    case .int(let number): number
    default: nil
    }
  }
}
