import Hits

/// Ads and what they state of themselves.
extension DocumentDecoder {
  /// Reads one ad; of a damaged one only its `Error` URLs are kept (VA-322, VA-324).
  mutating func ad() -> VAST.Ad {
    let depth = reader.depth
    var ad = VAST.Ad()
    ad.path = reader.path()
    ad.id = reader.attribute(.id)
    ad.sequence = integer(.sequence).flatMap { $0 > 0 ? $0 : nil }
    ad.kind = reader.attribute(.adType).flatMap { VAST.Ad.Kind(rawValue: $0.lowercased()) }
    ad.isConditional = boolean(.conditionalAd) ?? false
    while let child = reader.nextChild(of: depth) {
      switch (child, ad.content) {
      case (.inLine, .wrapper):
        reader.report("vast.duplicate", .warning, "An ad has InLine and Wrapper; InLine counts.")
        var other = VAST.Ad()
        (other.path, other.id, other.sequence, other.kind) = (ad.path, ad.id, ad.sequence, ad.kind)
        other.isConditional = ad.isConditional
        body(of: &other, isWrapper: false)
        ad = other
      case (.inLine, .unusable): body(of: &ad, isWrapper: false)
      case (.wrapper, .unusable): body(of: &ad, isWrapper: true)
      case (.inLine, _), (.wrapper, _): reportDuplicate()
      default: continue
      }
    }
    if reader.isLost {
      var lost = VAST.Ad()
      (lost.path, lost.id, lost.sequence, lost.errors) = (ad.path, ad.id, ad.sequence, ad.errors)
      lost.content = .unusable(.malformed)
      return lost
    }
    if case .unusable = ad.content { reader.report("vast.structure", .error, "The ad cannot be used.") }
    return ad
  }

  private mutating func body(of ad: inout VAST.Ad, isWrapper: Bool) {
    let depth = reader.depth
    var inLine = VAST.InLine()
    var wrapper = VAST.Wrapper(adTagURL: "")
    var linked = LinkedExtensions()
    wrapper.followsWrappers = boolean(.followAdditionalWrappers) ?? true
    wrapper.allowsMultipleAds = boolean(.allowMultipleAds) ?? false
    wrapper.fallsBackOnNoAd = boolean(.fallbackOnNoAd) ?? true
    while let child = reader.nextChild(of: depth) {
      switch child {
      case .adSystem: set(&ad.system, to: adSystem())
      case .pricing: set(&ad.pricing, to: pricing())
      case .impression: addLink(to: &ad.impressions)
      case .error: addURL(to: &ad.errors)
      case .viewableImpression: ad.viewableImpressions.append(viewableImpression())
      case .adVerifications: addVerifications(to: &ad.verifications)
      case .creatives: addCreatives(to: &ad.creatives, errors: &ad.errors)
      case .extensions: addExtensions(to: &ad.extensions, linked: &linked)
      case .adTitle: setText(&inLine.title)
      case .adServingID: setText(&inLine.servingID)
      case .description: setText(&inLine.description)
      case .advertiser: set(&inLine.advertiser, to: advertiser())
      case .category: addCategories(to: &inLine.categories)
      case .survey: set(&inLine.survey, to: survey())
      case .expires: set(&inLine.expires, to: DocumentValue.integer(reader.text()))
      case .vastAdTagURI, .vastAdTagURL: adTag(&wrapper.adTagURL)
      case .blockedAdCategories: addCategories(to: &wrapper.blockedCategories)
      default: continue
      }
    }
    linked.apply(to: &ad)
    if !isWrapper {
      ad.content = .inLine(inLine)
      if inLine.title == nil { reportMissing("AdTitle") }
    } else if !wrapper.adTagURL.isEmpty {
      ad.content = .wrapper(wrapper)
    }
    if ad.system == nil { reportMissing("AdSystem") }
    if ad.impressions.isEmpty { reportMissing("Impression") }
  }

  /// Reads the next document's URL: text, or a child `URL` as in VAST 1.
  private mutating func adTag(_ field: inout String) {
    let depth = reader.depth
    let start = reader
    var url: String? = reader.text()
    if url?.isEmpty == true {
      reader = start
      url = nil
      while let child = reader.nextChild(of: depth) {
        if child == .url { setText(&url) }
      }
    }
    guard let url else { return }
    if field.isEmpty { field = url } else { reportDuplicate() }
  }

  private mutating func adSystem() -> VAST.AdSystem? {
    let version = reader.attribute(.version)
    let name = reader.text()
    return name.isEmpty ? nil : VAST.AdSystem(name: name, version: version)
  }

  private mutating func pricing() -> VAST.Pricing? {
    let model = reader.attribute(.model)?.uppercased()
    let currency = reader.attribute(.currency)
    return Amount(reader.text()).map { VAST.Pricing(amount: $0, model: model, currency: currency) }
  }

  private mutating func advertiser() -> VAST.Advertiser? {
    let id = reader.attribute(.id)
    let name = reader.text()
    return name.isEmpty ? nil : VAST.Advertiser(name: name, id: id)
  }

  private mutating func survey() -> VAST.Survey? {
    let type = reader.attribute(.type)
    let url = reader.text()
    return url.isEmpty ? nil : VAST.Survey(url: url, type: type)
  }

  private mutating func addCategories(to list: inout [VAST.Category]) {
    let authority = reader.attribute(.authority)
    list += DocumentValue.items(reader.text()).map { VAST.Category(code: $0, authority: authority) }
  }

  private mutating func viewableImpression() -> VAST.ViewableImpression {
    let depth = reader.depth
    var impression = VAST.ViewableImpression()
    impression.id = reader.attribute(.id)
    while let child = reader.nextChild(of: depth) {
      switch child {
      case .viewable: addURL(to: &impression.viewable)
      case .notViewable: addURL(to: &impression.notViewable)
      case .viewUndetermined: addURL(to: &impression.undetermined)
      default: continue
      }
    }
    return impression
  }

  mutating func addVerifications(to list: inout [VAST.Verification]) {
    let depth = reader.depth
    while let child = reader.nextChild(of: depth) {
      if child == .verification { list.append(verification()) }
    }
  }

  mutating func verification() -> VAST.Verification {
    let depth = reader.depth
    var verification = VAST.Verification()
    verification.vendor = reader.attribute(.vendor)
    while let child = reader.nextChild(of: depth) {
      switch child {
      case .javaScriptResource: resource().map { verification.scripts.append($0) }
      case .executableResource: resource().map { verification.executables.append($0) }
      case .verificationParameters: setText(&verification.parameters)
      case .trackingEvents:
        var tracking: [VAST.Tracking] = []
        addTracking(to: &tracking, in: .linear)
        verification.notExecuted += tracking.filter { $0.event == .verificationNotExecuted }.map(\.url)
      default: continue
      }
    }
    return verification
  }

  private mutating func resource() -> VAST.Verification.Resource? {
    var resource = VAST.Verification.Resource(
      url: "", apiFramework: reader.attribute(.apiFramework), type: reader.attribute(.type),
      isBrowserOptional: boolean(.browserOptional) ?? false)
    resource.url = reader.text()
    return resource.url.isEmpty ? nil : resource
  }
}
