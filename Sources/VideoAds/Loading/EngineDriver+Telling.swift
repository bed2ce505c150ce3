/// What the app hears (VA-711), and what the command line prints (VA-1502).
extension EngineDriver {
  /// The ad that plays, or is to play next, as the app sees it.
  var ad: Ad? {
    guard let current else { return nil }
    if let told, told.token == stage?.playing { return told.ad }
    let ad = Ad(current, media: stage?.currentFile)
    told = (ad, stage?.playing)
    return ad
  }

  func tell(_ event: AdsManagerEvent) {
    record(event)
    audience.tell(event)
  }

  func buffered(to time: Double) {
    stage?.buffered = time
    tell(.buffered(to: time))
  }

  /// Tells what has no event of its own.
  func log(_ message: String, code: AdError.Code? = nil) {
    var data = ["message": message]
    data["code"] = code?.rawValue
    record(.event, "log: \(message)", of: engine?.run?.id)
    tell(.ad(AdEvent(kind: .log, ad: nil, breakTime: nil, data: data)))
  }

  /// Tells what was found out about the input, where the app wants to know (VA-330).
  func log(_ diagnostic: AdDiagnostic) { if context.settings.debug { log(diagnostic.text) } }

  func logDiagnostics() {
    for diagnostic in audience.manager?.diagnostics ?? [] { log(diagnostic) }
  }

  func emit(_ notice: EngineNotice) {
    if notice.kind == .started { started() }
    let isAboutAd = notice.adIndex != nil && notice.adIndex == current?.index && notice.breakID == current?.breakID
    let item = notice.breakID.flatMap { engine?.item($0) }
    var data: [String: String] = [:]
    data["message"] = notice.message
    data["code"] = notice.code.map { String($0) }
    if notice.kind == .adBreakFetchError { data["breakID"] = item?.sources.first?.adBreak.id }
    record(notice)
    tell(.ad(AdEvent(kind: notice.kind, ad: isAboutAd ? ad : nil, breakTime: item?.time?.seconds, data: data)))
  }

  private func started() {
    context.startedAds += 1
    if sampleGeometry() { geometrySampling.start() }
  }
}

/// One line an action.
extension EngineDriver {
  func record(_ state: AdsEngine.State) {
    if context.trace != nil { record(.state, "\(state)", of: engine?.run?.id) }
  }

  func record(_ beacon: Beacon, url: String) {
    record(
      .beacon, beacon.event, of: beacon.breakID, adIndex: beacon.adIndex, ad: beacon.adPosition, url: url,
      code: beacon.code)
  }

  /// A beacon that is never sent is no beacon of the timeline, but it is not left out either (VA-807).
  func record(_ beacon: Beacon, refused refusal: AdURL.Refusal) {
    record(
      .error, PlayRecord.refused(beacon.event, refusal), of: beacon.breakID, adIndex: beacon.adIndex,
      ad: beacon.adPosition, url: beacon.url, code: beacon.code)
  }

  private func record(_ notice: EngineNotice) {
    guard context.trace != nil else { return }
    let name = notice.message.map { "\(notice.kind.rawValue): \($0)" } ?? notice.kind.rawValue
    record(.event, name, of: notice.breakID, adIndex: notice.adIndex, ad: notice.adPosition, code: notice.code)
  }

  private func record(_ event: AdsManagerEvent) {
    guard context.trace != nil else { return }
    switch event {
    case .error(let error):
      record(
        .error, error.code.rawValue, of: nil, code: error.vastCode?.rawValue ?? error.vmapCode?.rawValue,
        detail: error.message)
    case .contentPause: record(.content, "pause", of: engine?.run?.id)
    case .contentResume: record(.content, "resume", of: nil)
    case .overlay(let model):
      record(
        .overlay, model?.line ?? "none", of: current?.breakID, adIndex: current?.index,
        ad: engine?.run?.current.progress?.position)
    case .ad, .progress, .buffered: return
    }
  }

  private func record(
    _ kind: PlayRecord.Kind, _ name: String, of id: BreakSource.ID?, adIndex: Int? = nil, ad: Int64? = nil,
    url: String? = nil, code: Int? = nil, detail: String? = nil
  ) {
    guard let trace = context.trace else { return }
    var record = PlayRecord(time: context.environment.clock.now, kind: kind, name: name, code: code)
    record.content = context.frozenPosition ?? context.contentPosition
    record.ad = ad
    record.breakIndex = id.flatMap { schedule.place(of: $0) }
    record.adIndex = adIndex
    record.url = url
    record.detail = detail
    trace(record)
  }
}
