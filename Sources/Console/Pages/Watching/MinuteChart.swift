/// Hits of the last hour, minute by minute, as a picture and as a sentence.
struct MinuteChart: Sendable {
  let minutes: [HitWatch.Minute]

  var sentence: String {
    let sum = minutes.reduce(into: HitWatch.Minute(minute: 0)) { sum, minute in
      sum.accepted += minute.accepted
      sum.duplicate += minute.duplicate
      sum.rejected += minute.rejected
      sum.late += minute.late
    }
    return
      "Last hour: \(sum.accepted) accepted, \(sum.duplicate) duplicate, \(sum.rejected) rejected, \(sum.late) late (more "
      + "than a minute old). Busiest minute: \(minutes.map(\.total).max() ?? 0). Last minute: \(minutes.last?.total ?? 0)."
  }

  /// An image of its own, since a page has no styles in it.
  var svg: [UInt8] {
    let (width, height) = (600, 120)
    let highest = max(1, minutes.map(\.total).max() ?? 1)
    let step = Double(width) / Double(max(1, minutes.count))
    var bars = ""
    for (index, minute) in minutes.enumerated() {
      var bottom = Double(height)
      for (count, color) in [(minute.accepted, "#2f7d5b"), (minute.duplicate, "#b58900"), (minute.rejected, "#c0392b")]
      where count > 0 {
        let size = Double(count) / Double(highest) * Double(height - 4)
        bottom -= size
        bars +=
          "<rect x=\"\(Self.text(Double(index) * step + 0.5))\" y=\"\(Self.text(bottom))\" "
          + "width=\"\(Self.text(step - 1))\" height=\"\(Self.text(size))\" fill=\"\(color)\"/>"
      }
    }
    let line = "<path d=\"M0 \(height)H\(width)\" stroke=\"#888\" stroke-width=\"1\"/>"
    return Array(
      ("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" preserveAspectRatio=\"none\">"
        + "<desc>\(sentence)</desc>" + bars + line + "</svg>").utf8)
  }

  private static func text(_ number: Double) -> String { String((number * 10).rounded() / 10) }
}
