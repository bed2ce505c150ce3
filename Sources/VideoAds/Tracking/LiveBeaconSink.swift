public import Hits

/// The sink for ads: sends every beacon at once, in order, and tries again for a while (VA-801, VA-802).
///
/// At most six requests a host and 24 in all are open, the rest queue; none delays playback. What is late keeps its URL.
/// What cannot be sent goes to a second sink, or is counted as lost.
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
    var lost = 0

    /// Opens a beacon, or queues it; false while there is no room for one more open request.
    ///
    /// Of what waits nothing could be opened before, so the others need no look.
    mutating func opens(_ beacon: Beacon) -> Bool {
      guard hasRoom(for: beacon) else {
        waiting.append(beacon)
        return false
      }
      open(beacon)
      return true
    }

    /// Ends an attempt, and gives the beacon that has its place now: the first of those whose host is not busy.
    mutating func close(_ beacon: Beacon) -> Beacon? {
      open -= 1
      openByHost[beacon.host, default: 1] -= 1
      if openByHost[beacon.host] == 0 { openByHost[beacon.host] = nil }
      guard let index = waiting.firstIndex(where: { hasRoom(for: $0) }) else { return nil }
      let next = waiting.remove(at: index)
      open(next)
      return next
    }

    private func hasRoom(for beacon: Beacon) -> Bool {
      open < LiveBeaconSink.limit && openByHost[beacon.host, default: 0] < LiveBeaconSink.hostLimit
    }

    private mutating func open(_ beacon: Beacon) {
      open += 1
      openByHost[beacon.host, default: 0] += 1
    }
  }

  static let hostLimit = 6
  static let limit = 24
  /// How many wait while there is no network, or for another attempt (VA-802).
  static let waitingLimit = 200
  /// How many wait for their turn while there is one.
  static let queueLimit = 4_000
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
  /// - Parameter later: takes the beacons that could not be sent, with a life of ten minutes; nil to lose them.
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
    let limit = connectivity?.isOnline == false ? Self.waitingLimit : Self.queueLimit
    let (isOpen, late) = state.withLock { state -> (Bool, Beacon?) in
      if state.opens(beacon) { return (true, nil) }
      return (false, state.waiting.count > limit ? state.waiting.removeFirst() : nil)
    }
    if let late { keepForLater(late) }
    if isOpen { start(beacon) }
    return SendReceipt(state: .pending(.memory))
  }

  /// How many beacons are lost: no attempt was left or no room, and no second sink took them.
  public var lostCount: Int { state.withLock { $0.lost } }

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

  private func start(_ beacon: Beacon) { Task { await self.deliver(beacon) } }

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
    if let next = state.withLock({ $0.close(beacon) }) { start(next) }
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
    let isOpen = state.withLock { [next, isLost] state in
      state.resting -= 1
      return !isLost && state.opens(next)
    }
    if isOpen { start(next) }
  }

  private func keepForLater(_ beacon: Beacon) {
    let hit = HitBuilder.beacon(beacon.url).requiring([]).maxAge(.seconds(600))
    if let later {
      guard case .refused = later.send(hit, tracker: nil).state else { return }
    }
    state.withLock { $0.lost += 1 }
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
