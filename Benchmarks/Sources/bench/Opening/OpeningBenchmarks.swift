import Foundation
import Hits
import TagManager

/// How long opening takes, and what an open container weighs (TM-1410, TM-1411, TM-1413).
enum OpeningBenchmarks {
  static let all: [Benchmark] = [
    Benchmark("TM-1410", coldOpen), Benchmark("TM-1411", call), Benchmark("TM-1413", memory),
  ]

  private static func coldOpen() async throws -> [Row] {
    let body = ContainerText.constants(700, bytes: 100_000) { Data($0.utf8) }
    let store = FileOfContainer()
    defer { store.delete() }
    let first = manager(store: store, transport: OneAnswer(body: Array(body)))
    guard try await ContainerOpener.open(ContainerText.id, in: first, prefer: .fresh).endedBy == .network else {
      throw BenchmarkFailure("TM-1410: nothing was fetched")
    }
    first.container(ContainerText.id)?.close()
    var times: [Double] = []
    var baseline: [Double] = []
    for _ in 0..<51 {
      let manager = manager(store: store, transport: nil)
      let begin = ContinuousClock.now
      guard try await ContainerOpener.open(ContainerText.id, in: manager, prefer: .nonDefault).endedBy == .saved else {
        throw BenchmarkFailure("TM-1410: nothing was saved")
      }
      times.append((ContinuousClock.now - begin) / .seconds(1))
      let baselineBegin = ContinuousClock.now
      _ = try store.load(ContainerText.id, limit: .max)
      _ = try JSONSerialization.jsonObject(with: body)
      baseline.append((ContinuousClock.now - baselineBegin) / .seconds(1))
    }
    let (ours, theirs) = (median(times), median(baseline))
    return [
      Row(
        number: "TM-1410", what: "open \(body.count) saved bytes from disk", figure: Figure.time(ours),
        baseline: "reading the file and JSONSerialization of the body: \(Figure.time(theirs))", ratio: ours / theirs,
        bound: "≤ 15 ms", bounds: [.init(measured: ours, limit: 15e-3)])
    ]
  }

  private static func call() throws -> [Row] {
    let json = ContainerText.constants(190, textLength: 37)
    let binary = try ContainerText.constants(190, bytes: 17_639, encoded: ContainerText.binary)
    let manager = manager(store: InMemorySavedContainers(), transport: nil, defaults: binary)
    let (ours, baseline) = try Measurement.alternating(runs: 201) {
      try manager.openContainer(ContainerText.id).close()
    } against: {
      _ = try JSONSerialization.jsonObject(with: Data(json.utf8))
    }
    return [
      Row(
        number: "TM-1411", what: "call of openContainer with a default of \(binary.count) bytes, loading begun",
        figure: Figure.time(ours.wall),
        baseline: "JSONSerialization of it as JSON: \(Figure.time(baseline.wall))", ratio: ours.wall / baseline.wall,
        bound: "≤ 3 ms", bounds: [.init(measured: ours.wall, limit: 3e-3)])
    ]
  }

  private static func memory() throws -> [Row] {
    let binary = try ContainerText.constants(190, bytes: 17_639, encoded: ContainerText.binary)
    let count = 200
    let defaults = InMemoryDefaultContainers(
      Dictionary(uniqueKeysWithValues: (0...count).map { ("GTM-\($0)", binary) }))
    let manager = TagManager(ports: TagManager.Ports(sink: ForgetfulSink(), defaultContainers: defaults))
    manager.refreshMode = .defaultContainer
    // What the first opening of anything loads is no part of a container.
    _ = try manager.openContainer("GTM-0")
    let before = residentBytes
    for number in 1...count { _ = try manager.openContainer(ContainerID("GTM-\(number)")) }
    let bytes = residentBytes.flatMap { after in before.map { (after - $0) / Double(count) } }
    return [
      Row(
        number: "TM-1413", what: "memory of an open container of \(binary.count) bytes, of \(count)",
        figure: bytes.map { String(format: "%.0f KB", $0 / 1_000) } ?? "not known here",
        baseline: "the file: \(binary.count) bytes", ratio: bytes.map { $0 / Double(binary.count) }, bound: "≤ 400 KB",
        bounds: bytes.map { [.init(measured: $0, limit: 400_000)] } ?? [])
    ]
  }

  private static func manager(
    store: any SavedContainerStore, transport: (any HTTPTransport)?, defaults: Data? = nil
  ) -> TagManager {
    TagManager(
      configuration: TagManager.Configuration(server: .tagworks("https://tags.example.com")),
      ports: TagManager.Ports(
        sink: ForgetfulSink(), transport: transport,
        defaultContainers: InMemoryDefaultContainers(defaults.map { [ContainerText.id.text: $0] } ?? [:]),
        savedContainers: store),
      logger: StandardTagLogger(level: .none))
  }

  private static func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

  private static var residentBytes: Double? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    return text.split(separator: " ").dropFirst().first.flatMap { Double($0) }.map { $0 * Double(getpagesize()) }
  }
}

/// Answers every request with one body.
private struct OneAnswer: HTTPTransport {
  let body: [UInt8]

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    HTTPResponse(status: 200, headers: ["ETag": "\"1\"", "Content-Type": "application/json"], body: body)
  }
}

/// One saved container as a file.
private struct FileOfContainer: SavedContainerStore {
  private let file = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString).twc")

  init() {}

  func load(_ id: ContainerID, limit: Int) throws -> [UInt8]? {
    FileManager.default.fileExists(atPath: file.path) ? Array(try Data(contentsOf: file)) : nil
  }

  func save(_ bytes: [UInt8], for id: ContainerID) throws { try Data(bytes).write(to: file, options: .atomic) }
  func remove(_ id: ContainerID) throws { delete() }
  func delete() { try? FileManager.default.removeItem(at: file) }
}
