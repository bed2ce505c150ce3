/// One thing that a manager did, as the command line prints it (VA-1502).
package struct PlayRecord: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    case event
    case content
    case beacon
    case overlay
    case error
    case state
  }

  /// Milliseconds of the clock of playback.
  package var time: Int64
  /// Milliseconds of content; nil when nobody tells.
  package var content: Int64?
  /// Milliseconds of the ad; nil without one.
  package var ad: Int64?
  package var kind: Kind
  package var name: String
  /// The break's place in the schedule, from 0.
  package var breakIndex: Int?
  /// The ad's place in the break, from 0.
  package var adIndex: Int?
  package var url: String?
  package var code: Int?
  /// What a person is told beside the name.
  package var detail: String?

  package init(time: Int64, kind: Kind, name: String, code: Int? = nil) {
    self.time = time
    self.kind = kind
    self.name = name
    self.code = code
  }

  /// The name of a record about a beacon that is not sent (VA-807).
  static func refused(_ event: String, _ refusal: AdURL.Refusal) -> String {
    "tracking.refused: \(event), \(refusal.reason)"
  }
}

extension AdsManager {
  /// Returns when no document is on its way: what a clock that is moved by hand waits for.
  package func settle() async {
    while let task = driver.fetches.values.first { await task.value }
  }

  /// Whether nothing can happen any more.
  package var isOver: Bool { driver.engine?.state == .done || driver.engine?.state == .destroyed }
}

extension OverlayModel {
  /// What it says, in one line.
  package var line: String {
    let texts = [countdown ?? attribution, skip, learnMore, overlayAd?.close].compactMap { $0?.text }
    let pictures = icons.map { $0.label.isEmpty ? "icon" : $0.label } + (overlayAd == nil ? [] : ["overlay"])
    return (texts + pictures + [announcement.map { "(\($0))" }].compactMap { $0 }).joined(separator: " | ")
  }
}
