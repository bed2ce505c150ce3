/// Icons, overlays and companions.
extension DocumentDecoder {
  mutating func addIcons(to list: inout [VAST.Icon]) {
    let depth = reader.depth
    while let child = reader.nextChild(of: depth) {
      if child == .icon { list.append(icon()) }
    }
  }

  mutating func icon() -> VAST.Icon {
    let depth = reader.depth
    var icon = VAST.Icon()
    icon.program = reader.attribute(.program)
    icon.width = integer(.width)
    icon.height = integer(.height)
    icon.x = position(.xPosition) ?? .trailing
    icon.y = position(.yPosition) ?? .leading
    icon.offset = time(.offset)
    icon.duration = time(.duration)
    icon.apiFramework = reader.attribute(.apiFramework)
    icon.pixelRatio = pixelRatio()
    icon.alternativeText = reader.attribute(.altText)
    icon.hoverText = reader.attribute(.hoverText)
    icon.regulations = reader.attribute(.regs)
    while let child = reader.nextChild(of: depth) {
      switch child {
      case .staticResource, .iFrameResource, .htmlResource: addResource(child, to: &icon.resources)
      case .iconViewTracking: addURL(to: &icon.viewTrackings)
      case .iconClicks: addClicks(to: &icon)
      default: continue
      }
    }
    return icon
  }

  private mutating func addClicks(to icon: inout VAST.Icon) {
    let depth = reader.depth
    while let child = reader.nextChild(of: depth) {
      switch child {
      case .iconClickThrough: setText(&icon.clickThrough)
      case .iconClickTracking: addLink(to: &icon.clickTrackings)
      case .iconClickFallbackImage: icon.fallbackImages.append(fallbackImage())
      case .iconClickFallbackImages:
        let depth = reader.depth
        while let child = reader.nextChild(of: depth) {
          if child == .iconClickFallbackImage { icon.fallbackImages.append(fallbackImage()) }
        }
      default: continue
      }
    }
  }

  private mutating func fallbackImage() -> VAST.FallbackImage {
    let depth = reader.depth
    var image = VAST.FallbackImage(width: integer(.width), height: integer(.height))
    while let child = reader.nextChild(of: depth) {
      switch child {
      case .altText: setText(&image.alternativeText)
      case .staticResource:
        var resources: [VAST.Resource] = []
        addResource(child, to: &resources)
        set(&image.resource, to: resources.first)
      default: continue
      }
    }
    return image
  }

  mutating func nonLinearAds(errors: inout [String]) -> VAST.NonLinearAds {
    let depth = reader.depth
    var ads = VAST.NonLinearAds()
    while let child = reader.nextChild(of: depth) {
      switch child {
      case .trackingEvents:
        addTracking(to: &ads.tracking, in: .nonLinear)
        moveErrors(from: &ads.tracking, to: &errors)
      case .nonLinear: ads.nonLinears.append(nonLinear())
      default: continue
      }
    }
    return ads
  }

  private mutating func nonLinear() -> VAST.NonLinear {
    let depth = reader.depth
    var ad = VAST.NonLinear()
    ad.id = reader.attribute(.id)
    ad.width = integer(.width)
    ad.height = integer(.height)
    ad.expandedWidth = integer(.expandedWidth)
    ad.expandedHeight = integer(.expandedHeight)
    ad.isScalable = boolean(.scalable)
    ad.keepsAspectRatio = boolean(.maintainAspectRatio)
    ad.minSuggestedDuration = time(.minSuggestedDuration)
    ad.apiFramework = reader.attribute(.apiFramework)
    while let child = reader.nextChild(of: depth) {
      switch child {
      case .staticResource, .iFrameResource, .htmlResource: addResource(child, to: &ad.resources)
      case .adParameters: set(&ad.adParameters, to: adParameters())
      case .nonLinearClickThrough: setLink(&ad.clickThrough)
      case .nonLinearClickTracking: addLink(to: &ad.clickTrackings)
      default: continue
      }
    }
    return ad
  }

  mutating func companionAds() -> VAST.CompanionAds {
    let depth = reader.depth
    var ads = VAST.CompanionAds()
    let required = reader.attribute(.required).flatMap { VAST.CompanionAds.Required(rawValue: $0.lowercased()) }
    ads.required = required ?? .none
    while let child = reader.nextChild(of: depth) {
      if child == .companion { ads.companions.append(companion()) }
    }
    return ads
  }

  private mutating func companion() -> VAST.Companion {
    let depth = reader.depth
    var ad = VAST.Companion()
    ad.id = reader.attribute(.id)
    ad.width = integer(.width)
    ad.height = integer(.height)
    ad.assetWidth = integer(.assetWidth)
    ad.assetHeight = integer(.assetHeight)
    ad.expandedWidth = integer(.expandedWidth)
    ad.expandedHeight = integer(.expandedHeight)
    ad.apiFramework = reader.attribute(.apiFramework)
    ad.adSlotID = reader.attribute(.adSlotID)
    ad.pixelRatio = pixelRatio()
    let mode = reader.attribute(.renderingMode).flatMap { VAST.Companion.RenderingMode(rawValue: $0.lowercased()) }
    ad.renderingMode = mode ?? .default
    while let child = reader.nextChild(of: depth) {
      switch child {
      case .staticResource, .iFrameResource, .htmlResource: addResource(child, to: &ad.resources)
      case .adParameters: set(&ad.adParameters, to: adParameters())
      case .altText: setText(&ad.alternativeText)
      case .companionClickThrough: setLink(&ad.clickThrough)
      case .companionClickTracking: addLink(to: &ad.clickTrackings)
      case .trackingEvents: addTracking(to: &ad.tracking, in: .nonLinear)
      case .creativeExtensions: addCreativeExtensions(to: &ad.extensions)
      default: continue
      }
    }
    return ad
  }

  private mutating func addResource(_ name: DocumentName, to list: inout [VAST.Resource]) {
    let type = reader.attribute(.creativeType).flatMap(DocumentValue.mimeType)
    let text = reader.text()
    if text.isEmpty || reader.isLost { return }
    switch name {
    case .staticResource: list.append(.file(url: text, type: type ?? DocumentValue.typeByPath(text)))
    case .iFrameResource: list.append(.frame(url: text))
    default: list.append(.html(text))
    }
  }

  private func position(_ name: DocumentName) -> VAST.Icon.Position? {
    guard let text = reader.attribute(name) else { return nil }
    switch text.lowercased() {
    case "left", "top": return .leading
    case "right", "bottom": return .trailing
    default: return DocumentValue.integer(text).map { .points($0) }
    }
  }

  private func pixelRatio() -> Double {
    guard let ratio = reader.attribute(.pxratio).flatMap(Double.init), ratio > 0, ratio.isFinite else { return 1 }
    return ratio
  }
}
