import Foundation
import Hits
import WebTags

/// Prints what became of events, and counts it (WT-961).
final class WebTagsReport {
  private let isJSON: Bool
  private var counts: [String: Int] = [:]
  private var total = 0

  init(isJSON: Bool) { self.isJSON = isJSON }

  var isAllDelivered: Bool { counts["delivered", default: 0] == total }

  func line(_ result: HiddenPageRun.Outcome) {
    let name = Self.name(of: result.outcome)
    total += 1
    counts[name, default: 0] += 1
    Output.line(isJSON ? Self.json(result).line : VisibleText.text(Self.text(result)))
  }

  /// Prints the sums.
  ///
  /// - Parameter page: the page's state.
  func summary(_ page: String) {
    let names = ["delivered", "dropped", "failed"]
    if isJSON {
      let sums = names.map { ($0, JSONTree.number(counts[$0] ?? 0)) }
      Output.line(JSONTree.object([("events", .number(total))] + sums + [("page", .text(page))]).line)
    } else {
      let sums = names.map { "\(counts[$0] ?? 0) \($0)" }.joined(separator: ", ")
      let waiting = counts["carried_over"].map { ", \($0) not delivered" } ?? ""
      Output.line("\(total) events: \(sums)\(waiting); the page is \(page)")
    }
  }

  private static func json(_ result: HiddenPageRun.Outcome) -> JSONTree {
    var confirmed = JSONTree.null
    var reason: String?
    var message: String?
    switch result.outcome {
    case .delivered(let isConfirmed): confirmed = .flag(isConfirmed)
    case .dropped(let why): reason = why.rawValue
    case .failed(let failure): (reason, message) = (failure.code.rawValue, failure.message)
    case .carriedOver: break
    }
    return .object([
      ("line", .number(result.line)), ("id", .text(result.id.uuidString)), ("outcome", .text(name(of: result.outcome))),
      ("confirmed", confirmed), ("reason", .text(reason)), ("message", .text(message)),
      ("ms", .value(.double(milliseconds(result.duration)))),
    ])
  }

  private static func text(_ result: HiddenPageRun.Outcome) -> String {
    let type =
      switch result.event.kind {
      case .view: "view"
      case .link: "link"
      case .custom(let type): type
      }
    let outcome =
      switch result.outcome {
      case .delivered(let isConfirmed): isConfirmed ? "delivered, confirmed" : "delivered, not confirmed"
      case .dropped(let reason): "dropped: \(reason.rawValue)"
      case .failed(let reason): "failed: \(reason.code.rawValue), \(reason.message)"
      case .carriedOver: "not delivered"
      }
    return "#\(result.line) \(type) \"\(result.event.title)\": \(outcome) after \(milliseconds(result.duration)) ms"
  }

  private static func name(of outcome: EventOutcome) -> String {
    switch outcome {
    case .delivered: "delivered"
    case .dropped: "dropped"
    case .failed: "failed"
    case .carriedOver: "carried_over"
    }
  }

  /// To a tenth.
  private static func milliseconds(_ duration: Duration) -> Double { (duration / .milliseconds(0.1)).rounded() / 10 }
}
