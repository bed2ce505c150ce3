import CBaselines
import Console
import Foundation
import HTTPClient
import HitQueue
import Hits

/// What our own protocol and its collector cost (HQ-1003, HQ-1004, HQ-1008), and what a lost answer does (HQ-1103).
enum CollectorBenchmarks {
  static let all: [Benchmark] = [
    Benchmark("HQ-1003", drain), Benchmark("HQ-1004", wire), Benchmark("HQ-1008", intake),
    Benchmark("HQ-1103", lostAnswers),
  ]

  private static let hits = 20_000

  private static func drain() async throws -> [Row] {
    let sink = try Sink()
    defer { sink.stop() }
    let endpoint = sink.endpoint
    let (ours, baseline) = try await Measurement.alternating {
      let queue = try QueueUnderTest(
        in: ScratchDirectory(),
        to: Destination(protocol: CollectorProtocol(key: "key", gzip: false), endpoint: endpoint))
      try await queue.send(hits, groupsOf: 500)
      return try await queue.drain(hits)
    } against: {
      try RawQueue.drain(hits, each: 620, to: endpoint)
    }
    let ratio = ours.processor / baseline.processor
    return [
      Row(
        number: "HQ-1003", what: "drain, collector, 500 a request, not compressed", figure: ours.times,
        baseline: "D, SQLite and libcurl, 620 a request: \(baseline.times)", ratio: ratio, bound: "CPU ≤ 2.5 × D",
        bounds: [.init(measured: ratio, limit: 2.5)])
    ]
  }

  private static func wire() async throws -> [Row] {
    let cases: [(what: String, destination: Destination, hits: Int, bound: Double)] = [
      ("MP v1, 20 a request", .measurementProtocol("http://127.0.0.1:9"), 20, 64),
      ("collector, 500 a request", .collector("http://127.0.0.1:9", key: "key"), 500, 48),
    ]
    var rows: [Row] = []
    for (what, destination, count, bound) in cases {
      let transport = KeptBodies()
      let queue = try QueueUnderTest(in: ScratchDirectory(), to: destination, transport: transport)
      try queue.sendOneByOne(count)
      guard await queue.analytics.drain().accepted == count, let body = transport.bodies.first else {
        throw BenchmarkFailure("HQ-1004: nothing was sent")
      }
      await queue.analytics.close()
      // A gzip frame has twelve bytes more than one of zlib.
      let packed = Double(baseline_compressed_size(body, body.count) + 12) / Double(count)
      let plain = Double(body.count) / Double(count)
      rows.append(
        Row(
          number: "HQ-1004", what: "bytes of a hit on the wire after gzip, \(what)",
          figure: String(format: "%.1f bytes", packed),
          baseline: String(format: "not compressed: %.0f bytes", plain) + "; peer, recorded: 768 bytes",
          ratio: packed / plain, bound: String(format: "≤ %.0f bytes", bound),
          bounds: [.init(measured: packed, limit: bound)]))
    }
    return rows
  }

  private static func intake() async throws -> [Row] {
    let requests = try await bodies(of: hits, each: 500).map { body in
      let head = """
        POST /v1/hits HTTP/1.1\r
        Host: 127.0.0.1\r
        Content-Type: application/x-ndjson\r
        Tagworks-Key: key\r
        Content-Length: \(body.count)\r
        \r\n
        """
      return Array(head.utf8) + body
    }
    let (ours, baseline) = try await Measurement.alternating {
      let directory = try ScratchDirectory()
      var settings = ServeSettings(
        port: 0, data: directory.path, properties: [Property(id: "UA-12345-1", writeKeys: ["key"])].compactMap { $0 })
      settings.rate = 1_000_000
      let server = try ConsoleServer(settings)
      let figure = try Measurement.once(operations: hits) {
        guard sendEach(requests, to: server.port) > 0 else { throw BenchmarkFailure("HQ-1008: requests fail") }
      }
      try await server.stop()
      guard try IntakeReader(directory: directory.path).statistics().total == hits else {
        throw BenchmarkFailure("HQ-1008: not every hit is stored")
      }
      return figure
    } against: {
      let directory = try ScratchDirectory()
      return try Measurement.once(operations: hits) {
        guard baseline_insert_for_power_loss(directory.path + "/store", Int32(hits), 285, 1_000) == 0 else {
          throw BenchmarkFailure("C fails to insert")
        }
      }
    }
    let ratio = baseline.wall / ours.wall
    return [
      Row(
        number: "HQ-1008", what: "collector intake over HTTP, durable, 500 a request, four connections of a C client",
        figure: "\(Figure.rate(ours.wall)), \(Figure.time(ours.processor)) CPU with the client",
        baseline: "raw SQLite, FULL, 1,000 a transaction: \(Figure.rate(baseline.wall)), "
          + "\(Figure.time(baseline.processor)) CPU",
        ratio: ratio, bound: "hits/s ≥ 0.5 × the baseline", bounds: [.init(measured: 0.5, limit: ratio)])
    ]
  }

  private static func sendEach(_ requests: [[UInt8]], to port: UInt16) -> Double {
    let copies = requests.map { request in
      let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: request.count)
      _ = bytes.initialize(fromContentsOf: request)
      return bytes
    }
    defer { for copy in copies { copy.deallocate() } }
    let each = copies.map { baseline_request(bytes: $0.baseAddress, count: $0.count) }
    return baseline_send_each(Int32(port), each, each.count, 4)
  }

  /// What a queue sends to its collector.
  private static func bodies(of hits: Int, each count: Int) async throws -> [[UInt8]] {
    let transport = KeptBodies()
    let queue = try QueueUnderTest(
      in: ScratchDirectory(), to: .collector("http://127.0.0.1:9", key: "key"), transport: transport)
    try await queue.send(hits, groupsOf: count)
    guard await queue.analytics.drain().accepted == hits else { throw BenchmarkFailure("not all hits are encoded") }
    await queue.analytics.close()
    return transport.bodies
  }

  private static func lostAnswers() async throws -> [Row] {
    let count = 1_002
    let directory = try ScratchDirectory()
    var settings = ServeSettings(port: 0, data: directory.path + "/data")
    settings.rate = 1_000_000
    let server = try ConsoleServer(settings)
    let transport = LostAnswers(PlatformTransport())
    let queue = try QueueUnderTest(
      in: ScratchDirectory(), to: .measurementProtocol(server.url), transport: transport)
    try await queue.send(count, groupsOf: 20)
    // A lost answer ends a drain; back-off does not hold back who asks for the next.
    while await queue.analytics.drain().remaining > 0 {}
    await queue.analytics.close()
    try await server.stop()
    let stored = try IntakeReader(directory: directory.path + "/data").statistics().total
    return [
      Row(
        number: "HQ-1103", what: "hits stored twice when every other answer is lost, of \(count)",
        figure: "\(stored - count)", baseline: "\(transport.lost) answers lost; peer, recorded: 379–622", ratio: nil,
        bound: "none", bounds: [.holds(stored == count)])
    ]
  }
}

/// Takes every hit and keeps what it was sent.
private final class KeptBodies: HTTPTransport {
  private let kept = Locked<[[UInt8]]>([])

  var bodies: [[UInt8]] { kept.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    kept.withLock { $0.append(request.body) }
    guard request.url.hasSuffix("/v1/hits") else { return HTTPResponse(status: 200) }
    let hits = request.body.count { $0 == UInt8(ascii: "\n") } + 1
    let text = #"{"v":1,"received":\#(hits),"accepted":\#(hits),"duplicate":[],"rejected":[],"deferred":[]}"#
    return HTTPResponse(
      status: 200, headers: ["Content-Type": "application/vnd.tagworks.ack+json"], body: Array(text.utf8))
  }
}

/// Sends everything, and loses every other answer.
private final class LostAnswers: HTTPTransport {
  private let transport: any HTTPTransport
  private let count = Locked(0)

  init(_ transport: any HTTPTransport) { self.transport = transport }

  var lost: Int { (count.withLock { $0 } + 1) / 2 }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let response = try await transport.send(request)
    let number = count.withLock { count in
      count += 1
      return count
    }
    guard number % 2 == 0 else {
      throw TransportError(phase: .uncertain, code: .timeout, message: "the answer is lost")
    }
    return response
  }
}
