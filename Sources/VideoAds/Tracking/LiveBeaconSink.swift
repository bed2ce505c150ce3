public import Hits

/// The sink for ads: sends every beacon at once, in order, and tries again for a while (VA-801, VA-802).
///
/// At most six requests a host and 24 in all are open, the rest queue; none delays playback. What is late keeps its URL.
public final class LiveBeaconSink: HitSink {
  private struct Beacon: Sendable {
    var url: String
    var host: String
    var since: UInt64
    var attempts = 0
  }

  private struct State {
    var waiting: [Beacon] = []
    var openByHost: [String: Int] = [:]
    var open = 0
    var idle: [CheckedContinuation<Void, Never>] = []
    /// Beacons that wait for another attempt.
    var resting = 0
  }

  static let hostLimit = 6
  static let limit = 24
  static let waitingLimit = 200
  static let lifetime: UInt64 = 600_000_000_000
  private static let pauses: [Duration] = [.seconds(1), .seconds(5)]

  private let transport: any HTTPTransport
  private let clock: any HitClock
  private let userAgent: String
  private let connectivity: (any Connectivity)?
  private let later: (any HitSink)?
  private let state = Locked(State())

  /// Makes a sink over a transport.
  ///
  /// - Parameter later: takes the beacons that could not be sent, with a life of ten minutes; nil to drop them.
  public init(
    transport: any HTTPTransport, userAgent: String, clock: any HitClock = SystemHitClock(),
    connectivity: (any Connectivity)? = nil, later: (any HitSink)? = nil
  ) {
    self.transport = transport
    self.userAgent = userAgent
    self.clock = clock
    self.connectivity = connectivity
    self.later = later
  }

  /// Takes a beacon in and starts it at once; other kinds of hits are refused.
  @discardableResult
  public func send(_ hit: HitBuilder, tracker: String?) -> SendReceipt {
    guard hit.kind == .beacon else { return SendReceipt(state: .refused(.unsupportedKind)) }
    guard let url = hit.get("url"), let host = URLReference(url).host else {
      return SendReceipt(state: .refused(.missingField("url")))
    }
    let beacon = Beacon(url: url, host: host.lowercased(), since: clock.ageClock)
    let lost = state.withLock { state -> Beacon? in
      state.waiting.append(beacon)
      return state.waiting.count > Self.waitingLimit ? state.waiting.removeFirst() : nil
    }
    if let lost { keepForLater(lost) }
    startWaiting()
    return SendReceipt(state: .pending(.memory))
  }

  /// Returns when nothing is open, waits or rests.
  public func drain() async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.open == 0, state.waiting.isEmpty, state.resting == 0 { return true }
        state.idle.append(continuation)
        return false
      }
      if isIdle { continuation.resume() }
    }
  }

  private func startWaiting() {
    for beacon in takeReady() { Task { await self.deliver(beacon) } }
  }

  /// Takes what may be opened now, in order, a busy host's beacons left for later.
  private func takeReady() -> [Beacon] {
    state.withLock { state in
      var ready: [Beacon] = []
      var index = 0
      while index < state.waiting.count, state.open < Self.limit {
        let beacon = state.waiting[index]
        guard state.openByHost[beacon.host, default: 0] < Self.hostLimit else {
          index += 1
          continue
        }
        state.openByHost[beacon.host, default: 0] += 1
        state.open += 1
        ready.append(state.waiting.remove(at: index))
      }
      return ready
    }
  }

  private func deliver(_ beacon: Beacon) async {
    let request = HTTPRequest(
      url: beacon.url, headers: ["User-Agent": userAgent], timeout: .seconds(10), connectTimeout: .seconds(10),
      redirects: .follow(5), responseLimit: 64 << 10)
    var isDone = true
    do {
      let response = try await transport.send(request)
      isDone = response.status != 429 && !(500...599 ~= response.status)
    } catch {
      // A long answer is an answer; a redirect to where beacons never go will not lead elsewhere the next time.
      isDone = [.tooLarge, .redirectRefused, .invalidRequest].contains(error.code)
    }
    let rests = !isDone && takeRest()
    // Before it is closed: who drains is not to miss it.
    if !isDone, !rests { keepForLater(beacon) }
    close(beacon)
    startWaiting()
    if rests { await rest(beacon) }
    wakeIdle()
  }

  /// A place among those that wait for another attempt; false when too many do already (VA-802).
  private func takeRest() -> Bool {
    state.withLock { state in
      guard state.resting < Self.waitingLimit else { return false }
      state.resting += 1
      return true
    }
  }

  /// Ends an attempt.
  private func close(_ beacon: Beacon) {
    state.withLock { state in
      state.open -= 1
      state.openByHost[beacon.host, default: 1] -= 1
      if state.openByHost[beacon.host] == 0 { state.openByHost[beacon.host] = nil }
    }
  }

  /// Waits and queues the beacon again: after a second, after five more, and without a network until there is one.
  private func rest(_ beacon: Beacon) async {
    var next = beacon
    var isLost = false
    if let connectivity, !connectivity.isOnline {
      while !connectivity.isOnline, clock.ageClock - beacon.since < Self.lifetime, !isLost {
        isLost = (try? await clock.sleep(for: .seconds(1))) == nil
      }
      isLost = isLost || !connectivity.isOnline
    } else if beacon.attempts < Self.pauses.count {
      isLost = (try? await clock.sleep(for: Self.pauses[beacon.attempts])) == nil
      next.attempts += 1
    } else {
      isLost = true
    }
    if isLost { keepForLater(beacon) }
    state.withLock { state in
      state.resting -= 1
      if !isLost { state.waiting.append(next) }
    }
    if !isLost { startWaiting() }
  }

  private func keepForLater(_ beacon: Beacon) {
    later?.send(HitBuilder.beacon(beacon.url).requiring([]).maxAge(.seconds(600)), tracker: nil)
  }

  private func wakeIdle() {
    let woken = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard state.open == 0, state.waiting.isEmpty, state.resting == 0 else { return [] }
      defer { state.idle = [] }
      return state.idle
    }
    for continuation in woken { continuation.resume() }
  }
}
