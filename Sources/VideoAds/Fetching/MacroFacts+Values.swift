import Hits

extension MacroFacts {
  /// The value of a macro in a URL of a kind; `cacheBuster` is the URL's one random number.
  func value(of name: MacroName, in scope: MacroScope, cacheBuster: Int64) -> MacroValue {
    if name.isRequestOnly, !scope.isRequest { return .unknown }
    if name.isTrackingOnly, scope.isRequest { return .unknown }
    switch name {
    case .timestamp: return .text(timestamp)
    case .milliseconds: return .text(String(time.wallMilliseconds))
    case .cacheBusting, .cacheBuster, .random, .randomUpperCase: return .text(String(cacheBuster))
    case .errorCode, .playlistErrorCode, .playlistErrorMessage, .reason: return errorValue(of: name, in: scope)
    case .transactionID: return .text(request.transactionID)
    case .appBundle: return app.bundleID.map { .text($0) } ?? .notApplicable
    case .vastVersions: return .list([2, 3, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16].map { String($0) })
    case .apiFrameworks: return app.hasVerificationHost ? .list(["7"]) : .unknown
    case .extensions: return .list(["AdVerifications", "UniversalAdId", "Icon"] + request.extensions)
    case .verificationVendors: return .list(settings.verificationVendors ?? [])
    case .omidPartner: return .text(settings.omidPartner ?? "unknown")
    case .storeID: return .optional(settings.storeID)
    case .storeURL: return .optional(settings.storeURL)
    case .clientUA: return .text(clientUserAgent)
    case .serverUA, .deviceUA, .serverSide, .deviceIP: return .notApplicable
    case .domain: return request.domain.map { .text($0) } ?? .notApplicable
    case .pageURL: return request.pageURL.map { .text($0) } ?? .notApplicable
    case .contentPlayhead, .mediaPlayhead, .breakPosition, .contentID, .contentURI, .contentCategories:
      return contentValue(of: name)
    case .ifa, .ifaType, .latLong, .limitAdTracking, .regulations, .gdprConsent, .gppString, .gppSectionID,
      .dsaRequired, .dsaParameters, .dsaPublisherRenders:
      return privacyValue(of: name)
    case .mediaMIME, .playerCapabilities, .clickType, .playerState, .inventoryState, .playerSize, .playbackMethods:
      return playerValue(of: name)
    case .universalAdID, .adPlayhead, .assetURI, .podSequence, .adServingID, .clickPosition, .adType, .adCount:
      return adValue(of: name, in: scope)
    case .blockedAdCategories, .adCategories, .placementType, .breakMaxDuration, .breakMaxAds, .breakMinAdLength,
      .breakMaxAdLength:
      return requestValue(of: name)
    }
  }

  private func errorValue(of name: MacroName, in scope: MacroScope) -> MacroValue {
    switch (name, scope) {
    case (.errorCode, .error(let code)): .number(100...999 ~= code ? code : 900)
    case (.errorCode, .playlistError(let code)), (.playlistErrorCode, .playlistError(let code)): .number(code.rawValue)
    case (.playlistErrorMessage, .playlistError(let code)): .text(code.message)
    case (.reason, .verificationNotExecuted(let reason)): .number(reason)
    case (.errorCode, _), (.reason, _): .untouched
    default: .unknown
    }
  }

  private func requestValue(of name: MacroName) -> MacroValue {
    switch name {
    case .blockedAdCategories:
      var seen: Set<String> = []
      return .list((blockedCategories + request.blockedCategories).filter { seen.insert($0).inserted })
    case .adCategories: return .list(request.desiredCategories)
    case .placementType: return .number(request.placementType)
    case .breakMaxDuration: return Self.seconds(request.breakLimits.maxDuration)
    case .breakMaxAds: return .number(request.breakLimits.maxAds)
    case .breakMinAdLength: return Self.seconds(request.breakLimits.minAdLength)
    case .breakMaxAdLength: return Self.seconds(request.breakLimits.maxAdLength)
    default: return .unknown
    }
  }

  private func contentValue(of name: MacroName) -> MacroValue {
    switch name {
    case .contentPlayhead: return .optional(content.position.map(Self.playhead))
    case .mediaPlayhead:
      return request.hasContent ? .optional(content.position.map(Self.playhead)) : .notApplicable
    case .breakPosition:
      switch request.breakPosition ?? content.breakPosition {
      case .pre: return .number(1)
      case .mid: return .number(2)
      case .post: return .number(3)
      case .standalone: return .number(4)
      case nil: return .number(0)
      }
    case .contentID: return request.hasContent ? .optional(request.content?.id) : .notApplicable
    case .contentURI: return request.hasContent ? .optional(request.content?.url) : .notApplicable
    case .contentCategories: return .list(request.content?.categories ?? [])
    default: return .unknown
    }
  }

  private func privacyValue(of name: MacroName) -> MacroValue {
    switch name {
    case .ifa, .ifaType:
      guard let id = privacy.advertisingID else { return .unknown }
      guard privacy.permitsIdentifiers else { return .withheld }
      return .text(name == .ifa ? id.id : id.type)
    case .latLong:
      guard let place = privacy.location else { return .unknown }
      guard privacy.permitsLocation else { return .withheld }
      return .list([place.latitude, place.longitude].map(Self.degrees))
    case .limitAdTracking: return .number(privacy.limitAdTracking.map { $0 ? 1 : 0 })
    case .regulations:
      return .list((privacy.coppa ? ["coppa"] : []) + (privacy.tcf?.gdprApplies == true ? ["gdpr"] : []))
    case .gdprConsent: return .optional(privacy.tcf?.tcString)
    case .gppString: return .optional(privacy.gpp?.string)
    case .gppSectionID: return .list((privacy.gpp?.sectionIDs ?? []).map { String($0) })
    case .dsaRequired: return .number(privacy.dsa?.required)
    case .dsaParameters:
      let parameters = privacy.dsa?.parameters ?? []
      return parameters.isEmpty ? .unknown : .text(parameters.map { String($0) }.joined(separator: "_"))
    case .dsaPublisherRenders: return .number(privacy.dsa?.publisherRenders)
    default: return .unknown
    }
  }

  private func playerValue(of name: MacroName) -> MacroValue {
    switch name {
    case .mediaMIME: return .list(player.mimeTypes)
    case .playerCapabilities:
      let isImplied = player.capabilities.contains("autoplay") && !player.capabilities.contains("mautoplay")
      return .list(player.capabilities + (isImplied ? ["mautoplay"] : []))
    case .clickType: return .number(container?.clickType ?? 0)
    case .playerState:
      return .list((player.isMuted ? ["muted"] : []) + (container?.isFullscreen == true ? ["fullscreen"] : []))
    case .inventoryState:
      let autoplay =
        request.adWillAutoPlay != true ? [] : [request.adWillPlayMuted == true ? "mautoplayed" : "autoplayed"]
      return .list((ad?.isSkippable == true ? ["skippable"] : []) + autoplay)
    case .playerSize:
      return .list(container.map { [$0.size.width, $0.size.height].map { Self.whole($0) } } ?? [])
    case .playbackMethods:
      if request.continuousPlayback == true { return .number(7) }
      switch (request.adWillAutoPlay, request.adWillPlayMuted ?? false) {
      case (true?, false): return .number(1)
      case (true?, true): return .number(2)
      case (false?, _): return .number(3)
      default: return .unknown
      }
    default: return .unknown
    }
  }

  private func adValue(of name: MacroName, in scope: MacroScope) -> MacroValue {
    switch name {
    case .adType: return .text((ad?.kind ?? request.adType).rawValue)
    case .adCount: return .number(scope.isRequest ? request.expectedAdCount : ad.map(\.startedCount))
    case .universalAdID: return .list(ad?.universalIDs.map { "\($0.registry) \($0.value)" } ?? [])
    case .adPlayhead: return .optional(ad?.position.map(Self.playhead))
    case .assetURI: return .optional(ad?.assetURL)
    case .podSequence: return .number(ad?.podSequence)
    case .adServingID: return .optional(ad?.servingID)
    case .clickPosition:
      guard scope == .clickTracking, let point = ad?.clickPoint else { return .unknown }
      return .list([String(point.x), String(point.y)])
    default: return .unknown
    }
  }

  private var clientUserAgent: String {
    let own = "\(ProductInfo.name)/\(ProductInfo.version)"
    guard let type = settings.playerType else { return "unknown \(own)" }
    return type + (settings.playerVersion.map { "/" + $0 } ?? "") + " " + own
  }

  /// The wall time in its zone: `YYYY-MM-DDTHH:MM:SS.mmm+HH`, with minutes of the offset when it has some.
  private var timestamp: String {
    let local = CivilTime(millisecondsSince1970: time.wallMilliseconds + Int64(time.utcOffset) * 1_000)
    let offset = time.utcOffset.magnitude / 60
    let minutes = offset % 60 == 0 ? "" : ":" + (offset % 60).padded(to: 2)
    return "\(local.textWithMilliseconds)\(time.utcOffset < 0 ? "-" : "+")\((offset / 60).padded(to: 2))\(minutes)"
  }

  /// A position as `HH:MM:SS.mmm`.
  static func playhead(_ milliseconds: Int64) -> String {
    let time = max(0, milliseconds)
    let clock = [time / 3_600_000, time / 60_000 % 60, time / 1_000 % 60].map { $0.padded(to: 2) }
    return "\(clock.joined(separator: ":")).\((time % 1_000).padded(to: 3))"
  }

  /// Whole seconds; a fraction of one is cut off.
  private static func seconds(_ value: Double?) -> MacroValue {
    .number(value.flatMap { 0...1e9 ~= $0 ? Int($0) : nil })
  }

  private static func degrees(_ value: Double) -> String {
    let rounded = (value * 10_000).rounded() / 10_000
    return rounded == rounded.rounded() ? whole(rounded) : String(rounded)
  }

  /// A number of the app's without its fraction; what is none is 0.
  private static func whole(_ value: Double) -> String { String(Int(exactly: value.rounded()) ?? 0) }
}
