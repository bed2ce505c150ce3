import Foundation
import Hits
import TagManager

/// What a server has done since its start, as Prometheus reads it (CO-104).
package final class ServerMetrics: Sendable {
  private struct Answers {
    /// Few: a walk over them is shorter than a hash.
    var byStatus: [(status: Int, count: Int)] = []
    /// What took longer than the bound before and at most as long as its own; what took longer than all is only counted.
    var buckets = [Int](repeating: 0, count: ServerMetrics.bounds.count)
    var seconds = 0.0
    var count = 0

    mutating func note(_ status: Int, _ seconds: Double) {
      if let index = byStatus.firstIndex(where: { $0.status == status }) {
        byStatus[index].count += 1
      } else {
        byStatus.append((status, 1))
      }
      count += 1
      self.seconds += seconds
      if let index = ServerMetrics.bounds.firstIndex(where: { seconds <= $0 }) { buckets[index] += 1 }
    }
  }

  private struct State {
    var routes: [String: Answers] = [:]
    var hits = IntakeTally.Counts()
  }

  /// The upper bounds of the latency histogram, in seconds.
  private static let bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30]

  private let state = Locked(State())

  package init() {}

  /// Notes an answered request of a route; whatever has no route is one.
  package func note(route: String, status: Int, nanoseconds: Int64) {
    state.withLock { $0.routes[route, default: Answers()].note(status, Double(nanoseconds) / 1e9) }
  }

  /// Notes what became of the hits of a request.
  func count(_ hits: IntakeTally.Counts) {
    state.withLock { state in
      state.hits.accepted += hits.accepted
      state.hits.duplicate += hits.duplicate
      state.hits.rejected += hits.rejected
    }
  }

  /// The text of Prometheus' format 0.0.4.
  ///
  /// - Parameters:
  ///   - waiting: hits that wait for their commit.
  ///   - lost: hits that observers lost.
  ///   - fetches: how often each container was fetched.
  func text(waiting: Int, lost: Int, fetches: [ContainerID: FetchTally.Counts] = [:]) -> String {
    let state = state.withLock { $0 }
    var text = Self.head("tagworks_http_requests_total", "counter", "Requests answered.")
    let routes = state.routes.sorted { $0.key < $1.key }
    for (route, answers) in routes {
      for (status, count) in answers.byStatus.sorted(by: { $0.status < $1.status }) {
        text += "tagworks_http_requests_total{route=\"\(route)\",status=\"\(status)\"} \(count)\n"
      }
    }
    let latency = "tagworks_http_request_duration_seconds"
    text += Self.head(latency, "histogram", "Time from the request's first line to its answer.")
    for (route, answers) in routes {
      var count = 0
      for (bound, more) in zip(Self.bounds, answers.buckets) {
        count += more
        text += "\(latency)_bucket{route=\"\(route)\",le=\"\(NumberText.text(bound))\"} \(count)\n"
      }
      text += "\(latency)_bucket{route=\"\(route)\",le=\"+Inf\"} \(answers.count)\n"
      text += "\(latency)_sum{route=\"\(route)\"} \(String(format: "%.6f", answers.seconds))\n"
      text += "\(latency)_count{route=\"\(route)\"} \(answers.count)\n"
    }
    text += Self.head("tagworks_container_fetches_total", "counter", "Containers given to apps, whole or unchanged.")
    for (id, counts) in fetches.sorted(by: { $0.key.text < $1.key.text }) {
      for (status, count) in [(200, counts.whole), (304, counts.unchanged)] where count > 0 {
        text += "tagworks_container_fetches_total{id=\"\(id)\",status=\"\(status)\"} \(count)\n"
      }
    }
    text += Self.head("tagworks_hits_total", "counter", "Hits judged, by what became of them.")
    let results = [
      ("accepted", state.hits.accepted), ("duplicate", state.hits.duplicate), ("rejected", state.hits.rejected),
    ]
    for (result, count) in results { text += "tagworks_hits_total{result=\"\(result)\"} \(count)\n" }
    text += Self.head("tagworks_hits_waiting", "gauge", "Hits that wait for their commit.")
    text += "tagworks_hits_waiting \(waiting)\n"
    text += Self.head("tagworks_observer_hits_lost_total", "counter", "Hits that slow observers lost.")
    text += "tagworks_observer_hits_lost_total \(lost)\n"
    return text
  }

  private static func head(_ name: String, _ type: String, _ help: String) -> String {
    "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }
}
