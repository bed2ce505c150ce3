@testable import VideoAds

/// A document as facts, one a line, in the words of `ZentrickFacts`.
struct VASTFacts {
  private(set) var lines: [String] = []

  init(_ document: VAST.Document) {
    add("version", document.version)
    for url in document.errors { add("error", url) }
    lines += Self.sorted(document.ads.map(Self.ad))
  }

  private init() {}

  private mutating func add(_ name: String, _ value: (some CustomStringConvertible)?) {
    if let text = value?.description, !text.isEmpty { lines.append("\(name)=\(text)") }
  }

  private mutating func add(_ name: String, links: [VAST.Link]) {
    for link in links { lines.append("\(name)=\(link.url) id=\(link.id ?? "-")") }
  }

  private mutating func addTracking(_ list: [VAST.Tracking]) {
    lines += list.map { "tracking \($0.event.rawValue) \($0.url) \($0.offset.map(Self.text) ?? "-")" }.sorted()
  }

  private static func text(_ offset: VAST.TimeOffset) -> String {
    switch offset {
    case .milliseconds(let time): "AbsoluteTimeOffset \(time / 1_000)"
    case .fraction(let part): "RelativeTimeOffset \(Int((part * 100).rounded()))"
    }
  }

  private mutating func addResource(_ resources: [VAST.Resource]) {
    switch resources.first {
    case .file(let url, let type): lines.append("resource StaticResource \(type ?? "-") \(url)")
    case .frame(let url): lines.append("resource IFrameResource - \(url)")
    case .html(let text): lines.append("resource HTMLResource - \(text)")
    case nil: break
    }
  }

  private static func sorted(_ blocks: [VASTFacts]) -> [String] {
    blocks.map { $0.lines.joined(separator: "\n  ") }.sorted()
  }

  private static func ad(_ ad: VAST.Ad) -> VASTFacts {
    var facts = VASTFacts()
    if case .wrapper = ad.content { facts.add("_type", "Wrapper") } else { facts.add("_type", "InLine") }
    facts.add("id", ad.id)
    facts.add("sequence", ad.sequence)
    if ad.isConditional { facts.add("conditionalAd", true) }
    if case .inLine(let inLine) = ad.content {
      facts.add("adTitle", inLine.title)
      facts.add("description", inLine.description)
      facts.add("advertiser", inLine.advertiser?.name)
    }
    if case .wrapper(let wrapper) = ad.content {
      facts.add("vastAdTagURI", wrapper.adTagURL)
      facts.add("followAdditionalWrappers", wrapper.followsWrappers)
      facts.add("allowMultipleAds", wrapper.allowsMultipleAds)
    }
    facts.add("system", ad.system?.name)
    facts.add("systemVersion", ad.system?.version)
    facts.add("impression", links: ad.impressions)
    for url in ad.errors { facts.add("error", url) }
    facts.add("price", ad.pricing?.amount)
    facts.add("currency", ad.pricing?.currency)
    if case .inLine(let inLine) = ad.content {
      for item in inLine.categories { facts.add("category", item.code) }
      facts.add("survey", inLine.survey?.url)
    }
    for item in ad.extensions { facts.lines.append("extension \(item.type ?? "-")") }
    for item in ad.verifications { item.scripts.forEach { facts.add("script", $0.url) } }
    for item in ad.viewableImpressions {
      item.viewable.forEach { facts.add("viewables", $0) }
      item.notViewable.forEach { facts.add("notViewables", $0) }
      item.undetermined.forEach { facts.add("viewUndetermineds", $0) }
    }
    facts.lines += sorted(ad.creatives.map(creative))
    return facts
  }

  private static func creative(_ creative: VAST.Creative) -> VASTFacts {
    var facts = VASTFacts()
    facts.add("id", creative.id)
    facts.add("adID", creative.adID)
    facts.add("sequence", creative.sequence)
    facts.add("apiFramework", creative.apiFramework)
    for id in creative.universalAdIDs {
      facts.add("universal", id.value)
      facts.add("registry", id.registry)
    }
    if let linear = creative.linear { facts.addLinear(linear) }
    if let ads = creative.nonLinearAds {
      facts.addTracking(ads.tracking)
      ads.nonLinears.forEach { facts.addNonLinear($0) }
    }
    creative.companionAds?.companions.forEach { facts.addCompanion($0) }
    return facts
  }

  private mutating func addLinear(_ linear: VAST.Linear) {
    add("duration", linear.duration.map { $0 / 1_000 })
    add("adParameters", linear.adParameters)
    add("mezzanine", linear.mezzanines.first?.url)
    add("skipoffset", linear.skipOffset.map(Self.text))
    for file in linear.mediaFiles {
      let delivery = file.isStreaming.map { $0 ? "streaming" : "progressive" }
      lines.append(
        "media "
          + words(
            file.url, file.id, file.type, delivery, file.width, file.height, file.codec, file.bitrate, file.minBitrate,
            file.maxBitrate, file.isScalable, file.keepsAspectRatio, file.apiFramework))
    }
    for file in linear.interactiveFiles {
      if case .url(let url) = file.source { add("interactive", url) }
    }
    addTracking(linear.tracking)
    add("clickThrough", links: linear.clickThrough.map { [$0] } ?? [])
    add("clickTracking", links: linear.clickTrackings)
    add("customClick", links: linear.customClicks)
    for icon in linear.icons {
      let x = icon.x == .leading ? "left" : icon.x == .trailing ? "right" : Self.points(icon.x)
      let y = icon.y == .leading ? "top" : icon.y == .trailing ? "bottom" : Self.points(icon.y)
      lines.append("icon " + words(icon.program, icon.width, icon.height, x, y))
      add("iconClick", icon.clickThrough)
    }
  }

  private mutating func addNonLinear(_ ad: VAST.NonLinear) {
    let duration = ad.minSuggestedDuration.map { $0 / 1_000 }
    lines.append(
      "nonLinear "
        + words(
          ad.id, ad.width, ad.height, duration, ad.isScalable, ad.keepsAspectRatio, ad.apiFramework, ad.adParameters))
    addResource(ad.resources)
    add("clickThrough", links: ad.clickThrough.map { [$0] } ?? [])
    add("clickTracking", links: ad.clickTrackings)
  }

  private mutating func addCompanion(_ ad: VAST.Companion) {
    let ratio = ad.pixelRatio == 1 ? nil : Int(ad.pixelRatio)
    lines.append(
      "companion "
        + words(
          ad.id, ad.width, ad.height, ad.assetWidth, ad.assetHeight, ad.expandedWidth, ad.expandedHeight, ad.adSlotID,
          ratio, ad.apiFramework))
    addResource(ad.resources)
    add("clickThrough", links: ad.clickThrough.map { [$0] } ?? [])
    add("clickTracking", links: ad.clickTrackings)
    addTracking(ad.tracking)
  }

  private static func points(_ position: VAST.Icon.Position) -> String {
    if case .points(let points) = position { "\(points)" } else { "" }
  }

  private func words(_ values: (any CustomStringConvertible)?...) -> String {
    values.map { $0?.description ?? "-" }.joined(separator: " ")
  }
}
