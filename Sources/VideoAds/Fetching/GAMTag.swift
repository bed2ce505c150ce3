import Hits

/// What is filled in and appended where a request goes to Google's ad server, and nowhere else (VA-204, VA-1201).
struct GAMTag {
  let settings: AdsSettings
  let request: RequestFacts
  let privacy: PrivacySignals

  /// The URL with its correlator and, unless the settings forbid it, the parameters it lacks.
  func completed(_ url: String) -> String {
    var reference = URLReference(url)
    guard Self.isGAM(reference) else { return url }
    var parameters = (reference.query ?? "").split(separator: "&", omittingEmptySubsequences: false).map(String.init)
    if reference.query?.isEmpty ?? true { parameters = [] }
    if let index = parameters.firstIndex(where: { $0 == "correlator" || $0 == "correlator=" }) {
      parameters[index] = "correlator=" + request.correlator
    } else if !parameters.contains(where: { $0.hasPrefix("correlator=") }) {
      parameters.append("correlator=" + request.correlator)
    }
    if settings.decorateGAMTags {
      let present = Set(parameters.map { String($0.prefix { $0 != "=" }) })
      for (name, value) in additions where !present.contains(name) {
        parameters.append(name + "=" + URIEscape.adMacro.escape(value))
      }
    }
    reference.query = parameters.joined(separator: "&")
    return reference.text
  }

  static func isGAM(_ reference: URLReference) -> Bool {
    guard let host = reference.host?.lowercased(), reference.path.hasPrefix("/gampad/") else { return false }
    return host == "doubleclick.net" || host.hasSuffix(".doubleclick.net")
  }

  private var additions: [(String, String)] {
    let all: [(String, String?)] = [
      ("vpa", request.adWillAutoPlay.map { $0 ? "auto" : "click" }),
      ("vpmute", request.adWillPlayMuted.map { $0 ? "1" : "0" }),
      ("vconp", request.continuousPlayback.map { $0 ? "2" : "1" }),
      ("vid_d", request.content?.duration.flatMap { 0...1e9 ~= $0 ? String(Int($0)) : nil }),
      ("hl", settings.language),
      ("ppid", privacy.permitsIdentifiers ? settings.usablePPID : nil),
      ("sid", privacy.permitsIdentifiers ? settings.sessionID : nil),
      ("gdpr", privacy.tcf.map { $0.gdprApplies ? "1" : "0" }),
      ("gdpr_consent", privacy.tcf?.tcString),
      ("gpp", privacy.gpp?.string),
      ("gpp_sid", privacy.gpp.map { $0.sectionIDs.map { String($0) }.joined(separator: ",") }),
      ("us_privacy", privacy.usPrivacy),
      ("tfcd", privacy.coppa ? "1" : nil),
      ("npa", privacy.permitsPersonalisation ? nil : "1"),
    ]
    return all.compactMap { name, value in value.map { (name, $0) } }
  }
}
