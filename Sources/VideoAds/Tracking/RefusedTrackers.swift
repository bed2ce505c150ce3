/// Trackers that are never sent, told before anything plays (VA-807).
extension ResolvedAd {
  /// A URL that may be owed for the ad, and the event it is for.
  struct Tracker: Sendable {
    let event: String
    let url: String
    var scope = MacroScope.tracking
  }

  /// Everything that may be owed for the ad, in the order of the events.
  var trackers: [Tracker] {
    var all = impressions.map { Tracker(event: "impression", url: $0.url) }
    for tracking in (linear?.tracking ?? []) + (nonLinearAds?.tracking ?? []) {
      all.append(Tracker(event: tracking.event.rawValue, url: tracking.url))
    }
    let overlays = nonLinearAds?.nonLinears ?? []
    let clicks = (linear?.clickTrackings ?? []) + overlays.flatMap(\.clickTrackings)
    all += clicks.map { Tracker(event: "click", url: $0.url, scope: .clickTracking) }
    all += (linear?.customClicks ?? []).map { Tracker(event: "customClick", url: $0.url, scope: .clickTracking) }
    for icon in linear?.icons ?? [] {
      all += icon.viewTrackings.map { Tracker(event: "iconView", url: $0) }
      all += icon.clickTrackings.map { Tracker(event: "iconClick", url: $0.url, scope: .clickTracking) }
    }
    for companion in companionAds.flatMap(\.companions) {
      all += companion.tracking.filter { $0.event == .creativeView }.map {
        Tracker(event: "companionView", url: $0.url)
      }
      all += companion.clickTrackings.map { Tracker(event: "companionClick", url: $0.url, scope: .clickTracking) }
    }
    for impression in viewableImpressions {
      all += impression.viewable.map { Tracker(event: "viewable", url: $0) }
      all += impression.notViewable.map { Tracker(event: "notViewable", url: $0) }
      all += impression.undetermined.map { Tracker(event: "viewUndetermined", url: $0) }
    }
    for verification in verifications {
      all += verification.notExecuted.map {
        Tracker(event: "verificationNotExecuted", url: $0, scope: .verificationNotExecuted(reason: 2))
      }
    }
    return all + errors.map { Tracker(event: "error", url: $0, scope: .error(VASTErrorCode.undefined.rawValue)) }
  }

  /// Which of them are refused whatever their macros come to, an event and a reason once.
  var refusedTrackers: [AdDiagnostic] {
    refusals { AdURL.refusal(of: $0.url) }
  }

  /// A diagnostic for each event and reason of trackers that are refused.
  func refusals(_ refusal: (Tracker) -> AdURL.Refusal?) -> [AdDiagnostic] {
    diagnostics(of: trackers) { tracker in
      refusal(tracker).map { .refused(tracker.event, $0, adID: ad.id) }
    }
  }

  /// Which URLs differ from what is written by more than their macros, an event once (VA-202).
  var repairedURLs: [AdDiagnostic] {
    diagnostics(of: trackers + opened) { tracker in
      AdURL.isMended(tracker.url) ? .repaired(tracker.event, adID: ad.id) : nil
    }
  }

  /// Media, and what clicks lead to.
  private var opened: [Tracker] {
    var all = (linear?.mediaFiles ?? []).map { Tracker(event: "media", url: $0.url) }
    let overlays = nonLinearAds?.nonLinears ?? []
    let clicks = [linear?.clickThrough].compactMap { $0 } + overlays.compactMap(\.clickThrough)
    all += clicks.map { Tracker(event: "clickThrough", url: $0.url) }
    all += (linear?.icons ?? []).compactMap(\.clickThrough).map { Tracker(event: "iconClickThrough", url: $0) }
    all += companionAds.flatMap(\.companions).compactMap(\.clickThrough).map {
      Tracker(event: "companionClickThrough", url: $0.url)
    }
    return all
  }

  /// Each diagnostic about one of the URLs once, at the place of the ad.
  private func diagnostics(of urls: [Tracker], _ diagnose: (Tracker) -> AdDiagnostic?) -> [AdDiagnostic] {
    var log = DiagnosticLog()
    var seen: Set<AdDiagnostic> = []
    for url in urls {
      guard var diagnostic = diagnose(url) else { continue }
      diagnostic.path = ad.path ?? ""
      if seen.insert(diagnostic).inserted { log.add(diagnostic) }
    }
    return log.diagnostics
  }
}

extension AdDiagnostic {
  /// A tracker that is never sent.
  static func refused(
    _ event: String, _ refusal: AdURL.Refusal, adID: String? = nil, breakID: String? = nil
  ) -> AdDiagnostic {
    AdDiagnostic(
      "tracking.refused", .warning,
      "A tracker of \(event.prefix(40))\(owner(adID: adID, breakID: breakID)) is not sent: \(refusal.reason).",
      adID: adID, breakID: breakID)
  }

  /// A URL that is used in another form than it is written in.
  static func repaired(_ event: String, adID: String? = nil, breakID: String? = nil) -> AdDiagnostic {
    AdDiagnostic(
      "url.repaired", .repair,
      "A URL of \(event.prefix(40))\(owner(adID: adID, breakID: breakID)) was made legal.", adID: adID,
      breakID: breakID)
  }
}

extension AdURL {
  /// Why a tracker is never sent, whatever its macros come to; nil when it is, or when that depends on them.
  static func refusal(of written: String) -> Refusal? {
    if isPlainlySendable(written) { return nil }
    do {
      _ = try AdURL(written, base: nil)
      return nil
    } catch {
      return error == .tooLong && MacroExpansion.mayChange(written) ? nil : error
    }
  }

  /// Whether a URL of an ad is used in another form than it is written in, whatever its macros come to (VA-202).
  static func isMended(_ written: String) -> Bool {
    if isPerfect(written) { return false }
    let clean = cleaned(written)
    let plain = MacroExpansion.withoutMacros(clean)
    return clean != written || legal(plain) != plain || lacksScheme(clean)
  }

  /// Whether one look tells that nothing will be in the way of a URL: nearly all are so.
  private static func isPlainlySendable(_ written: String) -> Bool {
    written.utf8.count <= longest
      && schemes.contains { scheme in
        guard written.utf8.starts(with: scheme) else { return false }
        return written.utf8.dropFirst(scheme.count).first.map { ASCII.isLetter($0) || ASCII.isDigit($0) } ?? false
      }
  }
}
