import Hits

/// Counts the life of an app (WT-480): no clock, no store.
///
///     launched ──sleep──▶ asleep ──wake──▶ awake ──sleep──▶ asleep …
///
/// A second event for one change of the system is none: a wake while awake, a sleep while asleep, a second launch.
struct LifecycleState: Sendable, Equatable, Codable {
  enum Event: String, Sendable {
    case launch
    case wake
    case sleep
  }

  private var launches = 0
  private var wakes = 0
  private var sleeps = 0
  private var firstLaunch: Int64?
  private var lastWakeDay: Int64?
  private var awakeSince: Int64?
  private var secondsAwake: Int64 = 0
  /// Whether the process saw a launch; not stored.
  private var hasLaunched = false

  private enum CodingKeys: CodingKey {
    case launches, wakes, sleeps, firstLaunch, lastWakeDay, awakeSince, secondsAwake
  }

  /// Whether the app is in the back.
  var isAsleep: Bool { hasLaunched && awakeSince == nil }

  /// Takes an event in.
  ///
  /// - Parameter day: the day of the local calendar, as a number.
  /// - Returns: the data of the event to track; nil for a double.
  mutating func handle(_ event: Event, _ now: Int64, day: Int64) -> JSONObject? {
    var data: JSONObject = ["lifecycle_type": .string(event.rawValue)]
    switch event {
    case .launch:
      guard !hasLaunched else { return nil }
      hasLaunched = true
      // An app that was awake when its process ended did not end in peace.
      if awakeSince != nil { data["lifecycle_diddetectcrash"] = "true" }
      if firstLaunch == nil {
        firstLaunch = now
        data["lifecycle_isfirstlaunch"] = "true"
      }
      launches &+= 1
      data.merge(wokeUp(now, day)) { _, new in new }
      data["lifecycle_priorsecondsawake"] = .string(String(secondsAwake))
      secondsAwake = 0
    case .wake:
      guard hasLaunched, awakeSince == nil else { return nil }
      data.merge(wokeUp(now, day)) { _, new in new }
    case .sleep:
      guard let since = awakeSince else { return nil }
      sleeps &+= 1
      secondsAwake &+= now.since(since) / 1000
      awakeSince = nil
    }
    data["lifecycle_launchcount"] = .string(String(launches))
    data["lifecycle_wakecount"] = .string(String(wakes))
    data["lifecycle_sleepcount"] = .string(String(sleeps))
    return data
  }

  private mutating func wokeUp(_ now: Int64, _ day: Int64) -> JSONObject {
    wakes &+= 1
    awakeSince = now
    defer { lastWakeDay = day }
    return lastWakeDay == day ? [:] : ["lifecycle_isfirstwaketoday": "true"]
  }
}
