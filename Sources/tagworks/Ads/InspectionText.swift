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
    let breaks = inspection.breaks.count
    return ", \(breaks) \(breaks == 1 ? "break" : "breaks"), \(ads) \(ads == 1 ? "ad" : "ads")"
  }

  private var fetches: [String] {
    guard !inspection.fetches.isEmpty else { return [] }
    var table = TextTable()
    for fetch in inspection.fetches {
      let outcome = fetch.error ?? fetch.status.map { String($0) } ?? "-"
      let time = "\(Int(fetch.milliseconds.rounded())) ms"
      table.add("hop \(fetch.hop)", outcome, "\(fetch.bytes) bytes", time, fetch.url)
    }
    return ["", "Documents"] + table.lines(indent: "  ")
  }

  private func lines(of item: AdInspection.Break) -> [String] {
    let offset = item.timeOffset.map { " at \($0)" } ?? ""
    let id = item.id.map { " '\($0)'" } ?? ""
    var lines = ["", "Break \(item.index)\(id)\(offset): \(item.state.rawValue)"]
    for ad in item.ads { lines += self.lines(of: ad, in: item.ads.count) }
    for spare in item.spares { lines.append("  stands by: ad \(spare.vastAd.id ?? "without an id")") }
    return lines
  }

  private func lines(of item: AdInspection.InspectedAd, in count: Int) -> [String] {
    let ad = item.resolved
    let length = ad.linear?.duration.map { " · \(Self.seconds($0))" } ?? ""
    let kind = ad.isLinear ? "linear" : "overlay"
    var lines = ["  Ad \(item.position) of \(count): \(ad.ad.id ?? "without an id") · \(kind)\(length)\(skip(ad))"]
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
      table.add("", media.file.url)
    }
    if let through = ad.linear?.clickThrough { table.add("click", through.url) }
    for impression in ad.impressions { table.add("impression", inspection.text(of: impression.url, for: ad)) }
    for (name, count) in trackers(of: ad) { table.add(name, "\(count) \(count == 1 ? "URL" : "URLs")") }
    for url in ad.errors { table.add("error", inspection.text(of: url, for: ad)) }
    lines += table.lines(indent: "    ")
    return lines
  }

  private func skip(_ ad: ResolvedAd) -> String {
    switch ad.linear?.skipOffset {
    case .milliseconds(let time): " · skippable after \(Self.seconds(time))"
    case .fraction(let part): " · skippable after \((part * 1_000).rounded() / 10) %"
    case nil: ""
    }
  }

  private func trackers(of ad: ResolvedAd) -> [(name: String, count: Int)] {
    var found: [(name: String, count: Int)] = []
    for tracking in ad.linear?.tracking ?? ad.nonLinearAds?.tracking ?? [] {
      if let index = found.firstIndex(where: { $0.name == tracking.event.rawValue }) {
        found[index].count += 1
      } else {
        found.append((tracking.event.rawValue, 1))
      }
    }
    return found
  }

  private var beacons: [String] {
    guard !inspection.beacons.isEmpty else { return [] }
    var table = TextTable()
    for beacon in inspection.beacons { table.add(beacon.event, String(beacon.code), beacon.url) }
    return ["", "Owed"] + table.lines(indent: "  ")
  }

  private var diagnostics: [String] {
    guard !inspection.diagnostics.isEmpty else { return [] }
    var table = TextTable()
    for diagnostic in inspection.diagnostics {
      let place = diagnostic.line > 0 ? "\(diagnostic.line):\(diagnostic.column)" : "-"
      table.add(diagnostic.severity.rawValue, diagnostic.code.rawValue, place, diagnostic.message)
    }
    return ["", "Diagnostics"] + table.lines(indent: "  ")
  }

  static func seconds(_ milliseconds: Int64) -> String {
    milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(Double(milliseconds) / 1_000) s"
  }
}
