import Hits

/// Scripts that measure an ad (VA-900 to VA-907). They never change what plays, nor when.
extension AdsEngine {
  mutating func openVerification(of ad: ResolvedAd) {
    guard !ad.verifications.isEmpty else { return }
    let isAllowed = EngineRendering.has("verification", settings) && rendering.allowsVerification
    let plan = VerificationPlan(
      ad.verifications, hasHost: rendering.hasVerificationHost, isAllowed: isAllowed,
      vendors: settings.verificationVendors)
    for (owner, reason) in plan.refused { oweNotExecuted(ad.verifications[owner], reason) }
    guard !plan.scripts.isEmpty else { return }
    run?.current.scriptOwners = plan.owners
    act(.verification(.open(plan.scripts)))
    verify(
      "sessionStart",
      [
        "supportsLoadedEvent": true, "impressionType": "beginToRender",
        "creativeType": .string(ad.ad.kind == .audio ? "audio" : "video"),
        "mediaType": .string(ad.ad.kind == .audio ? "audio" : "video"),
      ])
    let skip = run?.current.progress?.skipTime
    verify(
      "loaded",
      [
        "skippable": .bool(skip != nil), "skipOffset": skip.map { .double(Double($0) / 1_000) } ?? .absent,
        "autoPlay": .bool(request.adWillAutoPlay ?? false), "position": .string(verificationPosition),
      ])
  }

  private var verificationPosition: String {
    switch isSingle ? request.breakPosition : nil {
    case .standalone: return "standalone"
    case .mid: return "midroll"
    case .post: return "postroll"
    case .pre: return "preroll"
    case nil: break
    }
    switch run?.item.time {
    case .midroll: return "midroll"
    case .postroll: return "postroll"
    case .preroll, nil: return "preroll"
    }
  }

  private mutating func oweNotExecuted(_ verification: VAST.Verification, _ reason: VerificationRefusal) {
    for url in verification.notExecuted
    where run?.current.sent.insert(AdRun.Sent(event: "verificationNotExecuted", url: url)).inserted == true {
      send(url, event: "verificationNotExecuted", scope: .verificationNotExecuted(reason: reason.rawValue))
    }
    sendErrors(.verificationNotExecuted)
  }

  mutating func scriptFailed(_ script: Int) {
    guard let owners = run?.current.scriptOwners, owners.indices.contains(script), let ad = run?.ad,
      ad.verifications.indices.contains(owners[script])
    else { return }
    oweNotExecuted(ad.verifications[owners[script]], .loadError)
  }

  /// Tells the scripts an event; nothing happens without any.
  mutating func verify(_ type: String, _ data: Value = .map([:])) {
    guard run?.current.scriptOwners != nil else { return }
    act(.verification(.send(type, data)))
  }

  mutating func verifyStart() {
    verify("impression", run?.current.geometry?.value ?? .map([:]))
    let duration = run?.current.progress?.duration
    verify(
      "start",
      [
        "duration": duration.map { .double(Double($0) / 1_000) } ?? .absent,
        "mediaPlayerVolume": .double(isSilent ? 0 : volume), "deviceVolume": 1,
      ])
  }

  mutating func verifyError(_ code: VASTErrorCode) {
    verify("sessionError", ["errorType": "video", "message": .string(code.errorCode.rawValue)])
  }

  mutating func closeVerification() {
    guard run?.current.scriptOwners != nil else { return }
    run?.current.scriptOwners = nil
    act(.verification(.finish))
  }
}
