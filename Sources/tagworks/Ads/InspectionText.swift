import VideoAds

/// An inspection as a table to paste into a ticket.
struct InspectionText {
  private let inspection: AdInspection
  private let source: String

  init(_ inspection: AdInspection, source: String) {
    self.inspection = inspection
    self.source = source
  }

  var lines: [String] {
    let version = inspection.version.map { " \($0)" } ?? ""
    var lines = ["\(source): \(inspection.kind.rawValue)\(version)\(summary)"]
    if let error = inspection.error {
      let codes = [error.vastCode?.rawValue, error.vmapCode?.rawValue].compactMap { $0 }.map { " \($0)" }.joined()
      lines.append("Error\(codes) \(error.code.rawValue): \(error.message)")
    }
    lines += fetches + inspection.breaks.flatMap { self.lines(of: $0) } + beacons + diagnostics
    return lines
  }

  private var summary: String {
    let ads = inspection.breaks.map(\.ads.count).reduce(0, +)
    return ", \(Self.count(inspection.breaks.count, "break")), \(Self.count(ads, "ad"))"
  }

  private var fetches: [String] {
    guard !inspection.fetches.isEmpty else { return [] }
    var table = TextTable()
    for fetch in inspection.fetches {
      let outcome = fetch.error ?? fetch.status.map { String($0) } ?? "-"
      let time = "\(Int(fetch.milliseconds.rounded())) ms"
      table.add("hop \(fetch.hop)", outcome, "\(fetch.bytes) bytes", time, PrintedURL.shortText(fetch.url))
    }
    let left = inspection.fetches.count { $0.error == "offline" }
    let hint = left > 0 ? ["  \(Self.count(left, "document")) not fetched: offline"] : []
    return ["", "Documents"] + table.lines(indent: "  ") + hint
  }

  private func lines(of item: AdInspection.Break) -> [String] {
    let offset = item.timeOffset.map { " at \($0)" } ?? ""
    let id = item.id.map { " '\($0)'" } ?? ""
    let failure = item.failure.map { ", \($0.rawValue) \($0.errorCode.rawValue)" } ?? ""
    var lines = ["", "Break \(item.index)\(id)\(offset): \(item.state.rawValue)\(failure)"]
    for ad in item.ads { lines += self.lines(of: ad, in: item.ads.count) }
    for spare in item.spares { lines.append("  stands by: ad \(spare.vastAd.id ?? "without an id")") }
    return lines
  }

  private func lines(of item: AdInspection.InspectedAd, in count: Int) -> [String] {
    let ad = item.resolved
    let length = ad.linear?.duration.map { " · \(Self.seconds($0))" } ?? ""
    let kind = ad.isLinear ? "linear" : "overlay"
    let failure = item.failure.map { " · does not play, \($0.rawValue) \($0.errorCode.rawValue)" } ?? ""
    var lines = [
      "  Ad \(item.position) of \(count): \(ad.ad.id ?? "without an id") · \(kind)\(length)\(skip(ad))\(failure)"
    ]
    var table = TextTable()
    let title = [ad.inLine.title, ad.ad.system.map { "(\($0.name))" }].compactMap { $0 }.joined(separator: " ")
    if !title.isEmpty { table.add("title", title) }
    if !ad.wrappers.isEmpty {
      table.add("wrappers", ad.wrappers.map { $0.id ?? $0.system?.name ?? "?" }.joined(separator: " → "))
    }
    for media in item.media {
      let size = media.file.width.flatMap { width in media.file.height.map { "\(width)×\($0)" } } ?? "size unknown"
      let rate = media.bitrate.map { "\(Int($0.rounded())) kbit/s" } ?? "bit rate unknown"
      let verdict = media.reason.map { "not played, \($0)" } ?? "plays"
      table.add("media", "\(media.file.type ?? "type unknown"), \(size), \(rate): \(verdict)")
      table.add("", PrintedURL.shortText(media.file.url))
    }
    if let through = ad.linear?.clickThrough { table.add("click", PrintedURL.shortText(through.url)) }
    for impression in ad.impressions { table.add("impression", tracker(impression.url, of: ad)) }
    for tracker in trackers(of: ad) {
      let refused = tracker.refused > 0 ? ", \(tracker.refused) not sent" : ""
      table.add(tracker.name, Self.count(tracker.count, "URL") + refused)
    }
    for url in ad.errors { table.add("error", tracker(url, of: ad)) }
    for (name, text) in visuals(of: ad) { table.add(name, text) }
    for verification in ad.verifications {
      let script = verification.scripts.first.map { PrintedURL.shortText($0.url) } ?? "no script"
      table.add("verification", [verification.vendor, script].compactMap { $0 }.joined(separator: ", "))
    }
    lines += table.lines(indent: "    ")
    return lines
  }

  /// A tracker as it would be sent, or why it would not be (VA-807).
  private func tracker(_ url: String, of ad: ResolvedAd) -> String {
    let text = PrintedURL.shortText(inspection.text(of: url, for: ad))
    return inspection.refusal(of: url, for: ad).map { "\(text)  not sent: \($0)" } ?? text
  }

  /// What an ad shows over and beside media.
  private func visuals(of ad: ResolvedAd) -> [(name: String, text: String)] {
    let overlays = (ad.nonLinearAds?.nonLinears ?? []).map { overlay in
      ("overlay", Self.visual(overlay.id, overlay.width, overlay.height, overlay.resources))
    }
    let companions = ad.companionAds.flatMap(\.companions).map { companion in
      (
        "companion",
        Self.visual(companion.adSlotID ?? companion.id, companion.width, companion.height, companion.resources)
      )
    }
    let icons = (ad.linear?.icons ?? []).map { icon in
      ("icon", Self.visual(icon.program, icon.width, icon.height, icon.resources))
    }
    return overlays + companions + icons
  }

  private static func visual(_ name: String?, _ width: Int?, _ height: Int?, _ resources: [VAST.Resource]) -> String {
    let size = width.flatMap { width in height.map { "\(width)×\($0)" } } ?? "size unknown"
    let resource =
      switch resources.first {
      case .file(let url, _), .frame(let url): PrintedURL.shortText(url)
      case .html(let markup): count(markup.utf8.count, "byte") + " of HTML"
      case nil: "nothing to show"
      }
    return [name, size, resource].compactMap { $0 }.joined(separator: ", ")
  }

  private static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  private func skip(_ ad: ResolvedAd) -> String {
    switch ad.linear?.skipOffset {
    case .milliseconds(let time): " · skippable after \(Self.seconds(time))"
    case .fraction(let part): " · skippable after \((part * 1_000).rounded() / 10) %"
    case nil: ""
    }
  }

  private func trackers(of ad: ResolvedAd) -> [(name: String, count: Int, refused: Int)] {
    var found: [(name: String, count: Int, refused: Int)] = []
    for tracking in ad.linear?.tracking ?? ad.nonLinearAds?.tracking ?? [] {
      let name = tracking.event.rawValue
      let index = found.firstIndex { $0.name == name } ?? found.endIndex
      if index == found.endIndex { found.append((name, 0, 0)) }
      found[index].count += 1
      if inspection.refusal(of: tracking.url, for: ad) != nil { found[index].refused += 1 }
    }
    return found
  }

  private var beacons: [String] {
    guard !inspection.beacons.isEmpty else { return [] }
    var table = TextTable()
    for beacon in inspection.beacons { table.add(beacon.event, String(beacon.code), PrintedURL.shortText(beacon.url)) }
    return ["", "Owed"] + table.lines(indent: "  ")
  }

  private var diagnostics: [String] {
    guard !inspection.diagnostics.isEmpty else { return [] }
    var table = TextTable()
    for diagnostic in inspection.diagnostics {
      let isPlaced = diagnostic.line > 0
      let place = isPlaced ? "\(diagnostic.line):\(diagnostic.column)" : diagnostic.path.isEmpty ? "-" : diagnostic.path
      table.add(diagnostic.severity.rawValue, diagnostic.code.rawValue, place, diagnostic.message)
    }
    return ["", "Diagnostics"] + table.lines(indent: "  ")
  }

  static func seconds(_ milliseconds: Int64) -> String {
    milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(Double(milliseconds) / 1_000) s"
  }
}
