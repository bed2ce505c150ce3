import Foundation
import Hits
import TestSupport

@testable import HitQueue

/// A queue in a directory of its own, with a clock and a transport that do as the test says.
final class QueueFixture {
  private let temporary: TemporaryDirectory
  let clock: ManualClock
  let transport: ScriptedTransport

  var directory: String { temporary.path }

  init(clock: ManualClock = ManualClock(), transport: ScriptedTransport = ScriptedTransport()) throws {
    temporary = try TemporaryDirectory(isMade: false)
    self.clock = clock
    self.transport = transport
  }

  /// Opens the queue without a device, so that hits have their own fields and `ds` only.
  func open(
    _ change: (inout HitStoreConfiguration) -> Void = { _ in }, clock: (any HitClock)? = nil,
    transport: (any HTTPTransport)? = nil, connectivity: (any Connectivity)? = nil, device: (any Device)? = nil,
    identifiers: (any IdentifierProvider)? = nil, consent: ConsentSnapshot = .granted,
    logger: any HitLogger = QuietLogger()
  ) throws -> Analytics {
    // The budget is no matter here, and the machine that runs tests may be slow.
    var configuration = HitStoreConfiguration(directory: directory, sendBudget: .seconds(10))
    change(&configuration)
    let analytics = try Analytics(
      store: configuration, transport: transport ?? self.transport, clock: clock ?? self.clock,
      connectivity: connectivity, device: device, identifiers: identifiers, consent: consent, logger: logger)
    analytics.defaultDestination = .measurementProtocol("https://collect.example")
    return analytics
  }

  /// Opens the queue with events of one tracker, numbered from 1, which nothing sends by itself.
  func open(events count: Int) async throws -> Analytics {
    let analytics = try open()
    analytics.dispatchInterval = 0
    let tracker = try analytics.tracker(property: "UA-1-1")
    await tracker.send(contentsOf: (1...count).map { .event(category: "c", action: "\($0)") })
    return analytics
  }

  /// The numbers of the events of a request.
  static func numbers(_ request: HTTPRequest) -> [Int] {
    FormFields.lines(of: request.body).compactMap { FormFields($0)["ea"].flatMap { Int($0) } }
  }

  /// Returns when nobody in this process has the store open any more; a clean end takes the log with it.
  func waitUntilClosed(withLog: Bool = true) async {
    let place = URL(fileURLWithPath: directory).resolvingSymlinksInPath().path
    let logs = withLog ? ["hits", "hits-v1"].map { "\(directory)/\($0).sqlite3-wal" } : []
    while OpenStores.holds(place) || logs.contains(where: { FileManager.default.fileExists(atPath: $0) }) {
      await Task.yield()
    }
  }

  func reader() throws -> HitStoreReader { try HitStoreReader(directory: directory) }

  /// The fields of the lines that were sent, in order.
  var sent: [[String: String]] { transport.lines.map { FormFields(Array($0.utf8)).dictionary } }
}

/// Says nothing.
struct QuietLogger: HitLogger {
  let level = HitLogLevel.none
  func log(_ level: HitLogLevel, _ message: @autoclosure () -> String) {}
}

/// Keeps what is logged.
final class RecordingHitLogger: HitLogger {
  let level = HitLogLevel.verbose
  private let kept = Locked<[(HitLogLevel, String)]>([])

  func log(_ level: HitLogLevel, _ message: @autoclosure () -> String) {
    let text = message()
    kept.withLock { $0.append((level, text)) }
  }

  func texts(_ level: HitLogLevel) -> [String] { kept.withLock { $0 }.filter { $0.0 == level }.map(\.1) }
}

/// A network that is there or not, as a test says.
final class SwitchedConnectivity: Connectivity {
  private let current: Locked<NetworkState>
  let changes: AsyncStream<NetworkState>
  private let changing: AsyncStream<NetworkState>.Continuation

  init(_ state: NetworkState) {
    current = Locked(state)
    (changes, changing) = AsyncStream.makeStream()
  }

  var state: NetworkState {
    get { current.withLock { $0 } }
    set {
      current.withLock { $0 = newValue }
      changing.yield(newValue)
    }
  }

  var isMetered: Bool { false }
}
