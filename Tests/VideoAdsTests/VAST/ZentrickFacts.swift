import Foundation
import Hits

/// What the fixtures' authors wrote of a document, one fact a line; `VASTFacts` says the same of our values.
struct ZentrickFacts {
  private(set) var lines: [String] = []

  init(_ tree: Value) {
    add("version", tree["version"])
    for url in tree["errors"].items { add("error", url) }
    lines += Self.sorted((tree["ads"].sorted + (tree["adPod"]["ads"].sorted)).map(Self.ad))
  }

  private init() {}

  // VA-305: a blank text counts as none.
  private mutating func add(_ name: String, _ value: Value?) {
    if let text = value?.plain, !text.isEmpty { lines.append("\(name)=\(text)") }
  }

  private mutating func add(_ name: String, links: [Value]) {
    for link in links { lines.append("\(name)=\(link["uri"]?.plain ?? "") id=\(link["id"]?.plain ?? "-")") }
  }

  // VA-316: legacy names stand for the events of VAST 4.
  private static let aliases = [
    "linear": [
      "fullscreen": "playerExpand", "expand": "playerExpand", "collapse": "playerCollapse", "close": "closeLinear",
    ],
    "other": ["fullscreen": "adExpand", "expand": "adExpand", "collapse": "adCollapse"],
  ]

  private mutating func addTracking(_ owner: Value?, in context: String = "other") {
    var all: [String] = []
    for (event, list) in owner["trackingEvents"]["_value"]?.map ?? [:] {
      for item in list.list ?? [] {
        let name = Self.aliases[context]?[event] ?? event
        // VA-313: an offset counts with progress only.
        let offset = event == "progress" ? Self.offset(item["offset"]) : nil
        all.append("tracking \(name) \(item["uri"]?.plain ?? "") \(offset ?? "-")")
      }
    }
    lines += all.sorted()
  }

  private static func offset(_ tree: Value?) -> String? {
    tree.map { "\($0["_type"]?.plain ?? "") \($0["value"]?.plain ?? "")" }
  }

  private mutating func addResource(_ owner: Value?) {
    guard let resource = owner["resource"] else { return }
    lines.append(
      "resource \(resource["_type"]?.plain ?? "") \(resource["creativeType"]?.plain ?? "-") \(resource["uri"]?.plain ?? "")"
    )
  }

  private static func sorted(_ blocks: [ZentrickFacts]) -> [String] {
    blocks.map { $0.lines.joined(separator: "\n  ") }.sorted()
  }

  private static func ad(_ tree: Value) -> ZentrickFacts {
    var facts = ZentrickFacts()
    for name in ["_type", "id", "sequence", "adTitle", "description", "advertiser", "vastAdTagURI"] {
      facts.add(name, tree[name])
    }
    if tree["conditionalAd"]?.string == "true" { facts.add("conditionalAd", true) }
    if tree["_type"]?.string == "Wrapper" {
      for name in ["followAdditionalWrappers", "allowMultipleAds"] { facts.add(name, tree[name]) }
    }
    facts.add("system", tree["adSystem"]["name"])
    facts.add("systemVersion", tree["adSystem"]["version"])
    facts.add("impression", links: tree["impressions"].items)
    for url in tree["errors"].items { facts.add("error", url) }
    facts.add("price", tree["pricing"]["value"])
    facts.add("currency", tree["pricing"]["currency"])
    // VA-308: categories are split at commas and blanks.
    for item in tree["categories"].items {
      for code in item["code"]?.plain.split(separator: " ") ?? [] { facts.add("category", .string(String(code))) }
    }
    for item in tree["surveys"].items { facts.add("survey", item["uri"]) }
    for item in tree["extensions"].items { facts.lines.append("extension \(item["type"]?.plain ?? "-")") }
    for item in tree["verifications"].items {
      for script in item["javaScriptResources"].items { facts.add("script", script["uri"]) }
    }
    for name in ["viewables", "notViewables", "viewUndetermineds"] {
      for url in tree["viewableImpression"][name].items { facts.add(name, url) }
    }
    facts.lines += sorted(tree["creatives"].sorted.map(creative))
    return facts
  }

  private static func creative(_ tree: Value) -> ZentrickFacts {
    var facts = ZentrickFacts()
    for name in ["id", "adID", "sequence", "apiFramework"] { facts.add(name, tree[name]) }
    facts.add("universal", tree["universalAdId"]["idValue"])
    facts.add("registry", tree["universalAdId"]["idRegistry"])
    if let linear = tree["linear"] { facts.addLinear(linear) }
    if let ads = tree["nonLinearAds"] {
      facts.addTracking(ads)
      ads["nonLinears"].items.forEach { facts.addNonLinear($0) }
    }
    for item in tree["companionAds"]["companions"].items { facts.addCompanion(item) }
    return facts
  }

  private mutating func addLinear(_ tree: Value) {
    for name in ["duration", "adParameters", "mezzanine"] { add(name, tree[name]) }
    add("skipoffset", Self.offset(tree["skipoffset"]).map { .string($0) })
    for file in tree["mediaFiles"].items {
      let names = [
        "uri", "id", "type", "delivery", "width", "height", "codec", "bitrate", "minBitrate", "maxBitrate", "scalable",
        "maintainAspectRatio", "apiFramework",
      ]
      lines.append("media " + names.map { file[$0]?.plain ?? "-" }.joined(separator: " "))
    }
    for file in tree["interactiveCreativeFiles"].items { add("interactive", file["uri"]) }
    addTracking(tree, in: "linear")
    add("clickThrough", links: [tree["videoClicks"]["clickThrough"]].compactMap { $0 })
    add("clickTracking", links: tree["videoClicks"]["clickTrackings"].items)
    add("customClick", links: tree["videoClicks"]["customClicks"].items)
    for icon in tree["icons"].items {
      let names = ["program", "width", "height", "xPosition", "yPosition"]
      lines.append("icon " + names.map { icon[$0]?.plain ?? "-" }.joined(separator: " "))
      add("iconClick", icon["clicks"]["clickThrough"]["uri"])
    }
  }

  private mutating func addNonLinear(_ tree: Value) {
    let names = [
      "id", "width", "height", "minSuggestedDuration", "scalable", "maintainAspectRatio", "apiFramework",
      "adParameters",
    ]
    lines.append("nonLinear " + names.map { tree[$0]?.plain ?? "-" }.joined(separator: " "))
    addResource(tree)
    add("clickThrough", links: [tree["clickThrough"]].compactMap { $0 })
    add("clickTracking", links: tree["clickTrackings"].items)
  }

  private mutating func addCompanion(_ tree: Value) {
    let names = [
      "id", "width", "height", "assetWidth", "assetHeight", "expandedWidth", "expandedHeight", "adSlotID", "pxratio",
      "apiFramework",
    ]
    lines.append("companion " + names.map { tree[$0]?.plain ?? "-" }.joined(separator: " "))
    addResource(tree)
    add("clickThrough", links: [tree["clickThrough"]].compactMap { $0 })
    add("clickTracking", links: tree["clickTrackings"].items)
    addTracking(tree)
  }
}

extension Value {
  subscript(key: String) -> Value? { map?[key] }

  /// The value as one text, trimmed.
  var plain: String {
    switch self {
    case .string(let text): text.trimmingCharacters(in: .whitespacesAndNewlines)
    case .bool(let flag): String(flag)
    case .int(let number): String(number)
    case .double(let number): String(number)
    default: jsonText
    }
  }
}

extension Value? {
  subscript(key: String) -> Value? { self?.map?[key] }

  var items: [Value] { self?.list ?? [] }

  /// The items of one of the authors' sorted lists.
  var sorted: [Value] { self?["_value"]?.list ?? [] }
}
