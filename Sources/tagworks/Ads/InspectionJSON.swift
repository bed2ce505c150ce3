import VideoAds

/// An inspection in the form of VA-1501: keys in its order, what is absent null, times in seconds.
struct InspectionJSON {
  private let inspection: AdInspection
  private let source: String

  init(_ inspection: AdInspection, source: String) {
    self.inspection = inspection
    self.source = source
  }

  var tree: JSONTree {
    .object([
      ("schema", .text("tagworks.ads.inspect/1")), ("source", .text(source)),
      ("kind", .text(inspection.kind.rawValue)), ("version", .text(inspection.version)),
      ("transactionID", .text(inspection.transactionID)), ("fetches", .list(inspection.fetches.map(fetch))),
      ("breaks", .list(inspection.breaks.map(breakTree))),
      (
        "beacons",
        .list(
          inspection.beacons.map {
            .object([("event", .text($0.event)), ("code", .number($0.code)), ("url", .text(PrintedURL.text($0.url)))])
          })
      ),
      ("error", inspection.error.map(error) ?? .null),
      ("diagnostics", .list(inspection.diagnostics.map(diagnostic))),
    ])
  }

  private func fetch(_ fetch: AdFetchRecord) -> JSONTree {
    .object([
      ("url", url(fetch.url)), ("hop", .number(fetch.hop)), ("status", .number(fetch.status)),
      ("bytes", .number(fetch.bytes)), ("ms", .seconds(fetch.milliseconds)), ("error", .text(fetch.error)),
    ])
  }

  private func error(_ error: AdError) -> JSONTree {
    .object([
      ("kind", .text(error.kind.rawValue)), ("code", .text(error.code.rawValue)),
      ("vastCode", .number(error.vastCode?.rawValue)), ("vmapCode", .number(error.vmapCode?.rawValue)),
      ("imaCode", .number(error.imaCode)), ("message", .text(error.message)), ("url", .text(error.url)),
    ])
  }

  private func diagnostic(_ diagnostic: AdDiagnostic) -> JSONTree {
    let isPlaced = diagnostic.line > 0
    return .object([
      ("code", .text(diagnostic.code.rawValue)), ("severity", .text(diagnostic.severity.rawValue)),
      ("line", .number(isPlaced ? diagnostic.line : nil)), ("column", .number(isPlaced ? diagnostic.column : nil)),
      ("path", .text(diagnostic.path.isEmpty ? nil : diagnostic.path)),
      ("message", .text(diagnostic.message)),
    ])
  }

  private func breakTree(_ item: AdInspection.Break) -> JSONTree {
    .object([
      ("index", .number(item.index)), ("id", .text(item.id)), ("timeOffset", .text(item.timeOffset)),
      ("time", .seconds(item.time)), ("state", .text(item.state.rawValue)), ("repeatAfter", .seconds(item.repeatAfter)),
      ("gam", gam(item.gam)), ("ads", .list(item.ads.map(ad))),
      (
        "spares",
        .list(
          item.spares.map { spare in
            .object([("id", .text(spare.vastAd.id)), ("system", .text(spare.vastAd.system?.name))])
          })
      ),
    ])
  }

  private func gam(_ info: GAMBreakInfo?) -> JSONTree {
    guard let info else { return .object([]) }
    let all: [(String, JSONTree?)] = [
      ("pod", info.pod.map { .number($0) }), ("ppos", info.ppos.map { .number($0) }),
      ("vpos", info.vpos.map { .text($0) }), ("mridx", info.mridx.map { .number($0) }),
      ("cue", info.cue.map { .number(Int($0)) }), ("lip", info.lip.map { .flag($0) }),
      ("bumper", info.bumper.map { .text($0) }),
      ("min_ad_duration", info.minAdDuration.map { .number(Int($0)) }),
      ("max_ad_duration", info.maxAdDuration.map { .number(Int($0)) }),
      ("pmnd", info.pmnd.map { .number(Int($0)) }), ("pmxd", info.pmxd.map { .number(Int($0)) }),
      ("pmad", info.pmad.map { .number($0) }),
    ]
    return .object(all.compactMap { key, value in value.map { (key, $0) } })
  }

  private func ad(_ item: AdInspection.InspectedAd) -> JSONTree {
    let ad = item.resolved
    let linear = ad.linear
    let skip: Double? =
      switch linear?.skipOffset {
      case .milliseconds(let time): Double(time) / 1_000
      case .fraction(let part): linear?.duration.map { Double($0) * part / 1_000 }
      case nil: nil
      }
    return .object([
      ("id", .text(ad.ad.id)), ("sequence", .number(ad.sequence)), ("position", .number(item.position)),
      ("type", .text(ad.isLinear ? "linear" : "nonlinear")), ("system", .text(ad.ad.system?.name)),
      ("title", .text(ad.inLine.title)), ("duration", .seconds(milliseconds: linear?.duration)),
      ("skipOffset", .seconds(skip)), ("wrappers", .texts(ad.wrappers.map { $0.id ?? $0.system?.name ?? "" })),
      ("media", .list(item.media.map(media))),
      ("clickThrough", url(linear?.clickThrough.map { inspection.text(of: $0.url, scope: .click, for: ad) })),
      ("impressions", .list(ad.impressions.map { url(inspection.text(of: $0.url, for: ad)) })),
      ("errors", .list(ad.errors.map { url(inspection.text(of: $0, for: ad)) })),
      ("tracking", tracking(of: ad)), ("progress", .list(progress(of: ad))),
      ("companions", .list(ad.companionAds.flatMap(\.companions).map(companion))),
      ("icons", .list((linear?.icons ?? []).map(icon))),
      ("nonLinears", .list((ad.nonLinearAds?.nonLinears ?? []).map(nonLinear))),
      ("verifications", .list(ad.verifications.map(verification))),
      (
        "universalAdIDs",
        .list(
          ad.creative.universalAdIDs.map { .object([("registry", .text($0.registry)), ("value", .text($0.value))]) })
      ),
      ("extensions", .texts(ad.extensions.map { $0.type ?? $0.element.name })),
    ])
  }

  private func media(_ media: AdInspection.Media) -> JSONTree {
    .object([
      ("url", url(media.file.url)), ("type", .text(media.file.type)), ("width", .number(media.file.width)),
      ("height", .number(media.file.height)), ("bitrate", .seconds(media.bitrate)),
      ("selected", .flag(media.isSelected)), ("reason", .text(media.reason)),
    ])
  }

  /// Trackers by event, in the order in which the events first occur.
  private func tracking(of ad: ResolvedAd) -> JSONTree {
    var names: [String] = []
    var urls: [String: [JSONTree]] = [:]
    for tracking in ad.linear?.tracking ?? ad.nonLinearAds?.tracking ?? [] where tracking.event != .progress {
      let name = tracking.event.rawValue
      if urls[name] == nil { names.append(name) }
      urls[name, default: []].append(url(inspection.text(of: tracking.url, for: ad)))
    }
    return .object(names.map { ($0, .list(urls[$0] ?? [])) })
  }

  private func progress(of ad: ResolvedAd) -> [JSONTree] {
    var order: [VAST.TimeOffset] = []
    var urls: [VAST.TimeOffset: [JSONTree]] = [:]
    for tracking in ad.linear?.tracking ?? [] where tracking.event == .progress {
      guard let offset = tracking.offset else { continue }
      if urls[offset] == nil { order.append(offset) }
      urls[offset, default: []].append(url(inspection.text(of: tracking.url, for: ad)))
    }
    return order.map { offset in
      var seconds: Int64?
      var percent: Double?
      switch offset {
      case .milliseconds(let time): seconds = time
      case .fraction(let part): percent = part * 100
      }
      return .object([
        ("offset", .seconds(milliseconds: seconds)), ("percent", .seconds(percent)),
        ("urls", .list(urls[offset] ?? [])),
      ])
    }
  }

  private func companion(_ companion: VAST.Companion) -> JSONTree {
    .object([
      ("id", .text(companion.id)), ("width", .number(companion.width)), ("height", .number(companion.height)),
      ("adSlotId", .text(companion.adSlotID)), ("resource", resource(companion.resources)),
      ("clickThrough", url(companion.clickThrough?.url)),
    ])
  }

  private func icon(_ icon: VAST.Icon) -> JSONTree {
    .object([
      ("program", .text(icon.program)), ("width", .number(icon.width)), ("height", .number(icon.height)),
      ("offset", .seconds(milliseconds: icon.offset)), ("duration", .seconds(milliseconds: icon.duration)),
      ("resource", resource(icon.resources)), ("clickThrough", url(icon.clickThrough)),
    ])
  }

  private func nonLinear(_ overlay: VAST.NonLinear) -> JSONTree {
    .object([
      ("id", .text(overlay.id)), ("width", .number(overlay.width)), ("height", .number(overlay.height)),
      ("minSuggestedDuration", .seconds(milliseconds: overlay.minSuggestedDuration)),
      ("resource", resource(overlay.resources)), ("clickThrough", url(overlay.clickThrough?.url)),
    ])
  }

  private func verification(_ verification: VAST.Verification) -> JSONTree {
    .object([("vendor", .text(verification.vendor)), ("resource", url(verification.scripts.first?.url))])
  }

  private func url(_ written: String?) -> JSONTree { .text(written.map(PrintedURL.text)) }

  private func resource(_ resources: [VAST.Resource]) -> JSONTree {
    switch resources.first {
    case .file(let address, _), .frame(let address): url(address)
    case .html(let markup): .text(markup)
    case nil: .null
    }
  }
}
