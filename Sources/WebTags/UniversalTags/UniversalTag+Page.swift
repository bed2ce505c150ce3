import Foundation
import Hits

extension UniversalTag {
  /// The script that a page made here loads.
  func scriptURL(of configuration: WebTagsConfiguration) -> URL? {
    switch kind {
    case .utag:
      var url = configuration.deliveryBase
      for part in [configuration.account, configuration.profile, configuration.environment, "utag.js"] {
        url.appendPathComponent(part)
      }
      return url
    case .matomo(let url), .adobe(let url), .piwikPro(let url), .dataLayer(_, let url, _): return url
    case .gtm(let id, let dataLayer, let environment):
      var query = "id=" + URIEscape.hit.escape(id)
      if dataLayer != "dataLayer" { query += "&l=" + URIEscape.hit.escape(dataLayer) }
      if let environment {
        query += "&gtm_auth=" + URIEscape.hit.escape(environment.auth)
        query += "&gtm_preview=" + URIEscape.hit.escape(environment.preview) + "&gtm_cookies_win=x"
      }
      return URL(string: "https://www.googletagmanager.com/gtm.js?" + query)
    case .gtag(let id): return URL(string: "https://www.googletagmanager.com/gtag/js?id=" + URIEscape.hit.escape(id))
    case .segment(let key, let host):
      return URL(string: "https://\(host)/analytics.js/v1/\(URIEscape.hit.escape(key))/analytics.min.js")
    case .custom(_, let script, _): return script
    case .combined(let tags): return tags.first?.scriptURL(of: configuration)
    }
  }

  /// The scripts of all parts but the first, which the page's start adds.
  func furtherScripts(of configuration: WebTagsConfiguration) -> [URL] {
    parts.dropFirst().compactMap { $0.scriptURL(of: configuration) }
  }

  /// What stands in the page before the script.
  func prelude(noSessionCount: Bool) -> String {
    parts.map { $0.ownPrelude(noSessionCount: noSessionCount) }.joined()
  }

  private func ownPrelude(noSessionCount: Bool) -> String {
    switch kind {
    case .utag: "window.utag_cfg_ovrd={noview:true,no_session_count:\(noSessionCount)};"
    case .matomo: #"window._mtm=[{"mtm.startTime":Date.now(),"event":"mtm.Start"}];"#
    case .gtm(_, let name, _):
      #"(window[\#(PageJSON.inScript(.string(name)))]=[]).push({"gtm.start":Date.now(),"event":"gtm.js"});"#
    case .gtag(let id):
      "window.dataLayer=window.dataLayer||[];window.gtag=function(){dataLayer.push(arguments)};"
        + "gtag(\"js\",new Date());gtag(\"config\",\(PageJSON.inScript(.string(id))),{send_page_view:false});"
    case .segment: UniversalTagScripts.segmentStub
    case .piwikPro: #"(window.dataLayer=window.dataLayer||[]).push({start:Date.now(),event:"stg.start"});"#
    case .dataLayer(let name, _, _):
      "window[\(PageJSON.inScript(.string(name)))]=window[\(PageJSON.inScript(.string(name)))]||[];"
    case .adobe, .custom, .combined: ""
    }
  }

  /// Source texts of functions from constants to `{probe, deliver}`, each with its constants.
  var adapters: [(source: String, constants: Value)] {
    parts.map { part in
      switch part.kind {
      case .utag, .combined: (UniversalTagScripts.utag, [:])
      case .matomo: (UniversalTagScripts.matomo, [:])
      case .gtm(let id, let name, _): (UniversalTagScripts.gtm, ["id": .string(id), "name": .string(name)])
      case .gtag(let id): (UniversalTagScripts.gtag, ["id": .string(id)])
      case .adobe: (UniversalTagScripts.adobe, [:])
      case .segment: (UniversalTagScripts.segment, [:])
      case .piwikPro: (UniversalTagScripts.piwikPro, [:])
      case .dataLayer(let name, let script, let ready):
        (
          UniversalTagScripts.dataLayer,
          [
            "name": .string(name), "script": .string(script.absoluteString),
            "ready": ready.map { .string($0) } ?? .null,
          ]
        )
      case .custom(_, _, let source): ("function () { return (\(source)\n); }", [:])
      }
    }
  }
}

extension UniversalTag {
  /// Checks ids and URLs (WT-602).
  func validate(allowInsecure: Bool) throws(WebTagsError) {
    func require(_ holds: Bool, _ reason: String) throws(WebTagsError) {
      if !holds { throw WebTagsConfiguration.invalid("universalTag", reason) }
    }
    func requireURL(_ url: URL) throws(WebTagsError) {
      let parts = WebURL(url.absoluteString)
      try require(
        parts.map { $0.isSecure || ($0.isLoopback && allowInsecure) } ?? false, "has a script that is no https URL")
    }
    switch kind {
    case .utag: break
    case .matomo(let url):
      try requireURL(url)
      try require(Self.isMatomoContainer(url.lastPathComponent), "has no container_<id>.js")
    case .gtm(let id, let name, let environment):
      try require(Self.isID(id, prefixes: ["GTM-"], allowsDash: false), "has no id GTM-…")
      try require(Self.isVariable(name), "has a data layer that is no name")
      try require(
        environment.map { !$0.auth.isEmpty && !$0.preview.isEmpty } ?? true, "has an environment without a name")
    case .gtag(let id):
      try require(
        Self.isID(id, prefixes: ["G-", "AW-", "DC-", "GT-", "UA-"], allowsDash: true), "has no id G-… or its like")
    case .adobe(let url), .piwikPro(let url): try requireURL(url)
    case .segment(let key, let host):
      try require(Self.isWord(key), "has a key of other characters than letters and digits")
      try require(WebURL("https://\(host)/")?.host == host.lowercased(), "has a host that is none")
    case .dataLayer(let name, let url, let ready):
      try requireURL(url)
      try require(Self.isVariable(name), "has a list that is no name")
      try require(ready.map(PagePath.isValid) ?? true, "has a ready expression that is no path of names")
    case .custom(let id, let url, _):
      try require(Self.isVariable(id), "has an id that is no name")
      if let url { try requireURL(url) }
    case .combined(let tags):
      try require((1...8).contains(tags.count), "is not 1 to 8")
      for tag in tags {
        if case .combined = tag.kind { try require(false, "is combined of combined") }
        try tag.validate(allowInsecure: allowInsecure)
      }
    }
  }

  private static func isVariable(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count) && PagePath.isValid(name) && !name.contains(".")
  }

  private static func isWord(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { isLetterOrDigit($0) }
  }

  private static func isID(_ id: String, prefixes: [String], allowsDash: Bool) -> Bool {
    guard let prefix = prefixes.first(where: { id.hasPrefix($0) }), id.utf8.count <= 64 else { return false }
    let rest = id.utf8.dropFirst(prefix.utf8.count)
    return !rest.isEmpty
      && rest.allSatisfy {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
          || (allowsDash && $0 == UInt8(ascii: "-"))
      }
  }

  /// `container_<8 letters or digits>[_preview | _<environment>_<24 hex digits>].js`.
  private static func isMatomoContainer(_ file: String) -> Bool {
    guard file.hasPrefix("container_"), file.hasSuffix(".js") else { return false }
    let parts = file.dropFirst(10).dropLast(3).split(separator: "_", omittingEmptySubsequences: false)
    guard let id = parts.first, id.utf8.count == 8, id.utf8.allSatisfy(isLetterOrDigit) else { return false }
    switch parts.count {
    case 1: return true
    case 2: return parts[1] == "preview"
    case 3:
      return !parts[1].isEmpty && parts[1].utf8.allSatisfy(isLetterOrDigit) && parts[2].utf8.count == 24
        && parts[2].utf8.allSatisfy { HexDigits.value(of: $0) != nil }
    default: return false
    }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
      || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}
