import CBaselines
import Foundation
import HTTPClient
import Hits

/// How many apps a server can tell that nothing has changed, beside the HTTP library alone (CO-603).
enum ContainerDeliveryBenchmarks {
  static let all: [Benchmark] = [Benchmark("CO-603", unchanged)]

  private static let requests = 20_000
  private static let runs = 7

  private static func unchanged() async throws -> [Row] {
    let server = try await DeliveringServer()
    defer { server.stop() }
    var empty: Int32 = 0
    let emptyPort = baseline_empty_start(server.fields, &empty)
    guard emptyPort > 0 else { throw BenchmarkFailure("CO-603: the HTTP library does not start") }
    defer { baseline_stop(empty) }
    let request = """
      GET /v1/containers/GTM-BENCH HTTP/1.1\r
      Host: 127.0.0.1\r
      User-Agent: Tagworks/1 (Linux)\r
      Accept: application/json, application/x-protobuf;q=0.5\r
      Accept-Encoding: gzip\r
      If-None-Match: \(server.etag)\r
      \r\n
      """
    var times: (ours: [Double], baseline: [Double]) = ([], [])
    for run in 0...runs {
      let ours = baseline_load(Int32(server.port), request, 304, requests)
      let baseline = baseline_load(emptyPort, request, 200, requests)
      guard ours > 0, baseline > 0 else { throw BenchmarkFailure("CO-603: requests fail") }
      // The first run is for warming up.
      guard run > 0 else { continue }
      times.ours.append(ours)
      times.baseline.append(baseline)
    }
    let (ours, baseline) = (median(times.ours), median(times.baseline))
    return [
      Row(
        number: "CO-603", what: "304s to an app over 16 kept connections", figure: rate(ours),
        baseline: "the HTTP library's empty answer with the same fields: \(rate(baseline))", ratio: ours / baseline,
        bound: "≥ 0.8 × the rate", bounds: [.init(measured: ours / baseline, limit: 1 / 0.8)])
    ]
  }

  private static func rate(_ seconds: Double) -> String { "\(Figure.count(Double(requests) / seconds))/s" }

  private static func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }
}

/// `tagworks serve` in a process of its own, with one container live.
private final class DeliveringServer {
  let port: Int
  private(set) var etag = ""
  /// The lines of the fields that 304 and 200 have alike.
  private(set) var fields = ""
  private let process = Process()
  private let directory: ScratchDirectory

  init() async throws {
    directory = try ScratchDirectory()
    let program = ".build/release/tagworks"
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw BenchmarkFailure("CO-603: there is no \(program)")
    }
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["serve", "--port", "0", "--data", directory.path + "/data"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = ""
    while text.filter({ $0 == "\n" }).count < 2 {
      let piece = output.fileHandleForReading.availableData
      guard !piece.isEmpty else { throw BenchmarkFailure("CO-603: the server does not start") }
      text += String(decoding: piece, as: UTF8.self)
    }
    let words = text.split { " ,=\n".contains($0) }
    guard let url = words.first(where: { $0.hasPrefix("http://") }),
      let setup = words.first(where: { $0.hasPrefix("tws_") }),
      let port = url.split(separator: ":").last.flatMap({ Int($0) })
    else { throw BenchmarkFailure("CO-603: the server says \(text)") }
    self.port = port
    let answer = try await PlatformTransport().send(
      HTTPRequest(
        method: "POST", url: "\(url)/api/v1/setup", headers: ["Content-Type": "application/json"],
        body: Array(#"{"token":"\#(setup)","name":"bench"}"#.utf8)))
    let made = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
    try publish(program, String(url), token: made?["token"] as? String ?? "")
    let container = try await PlatformTransport().send(HTTPRequest(url: "\(url)/v1/containers/GTM-BENCH"))
    guard container.status == 200, let etag = container.headers["ETag"] else {
      throw BenchmarkFailure("CO-603: the container is not delivered")
    }
    self.etag = etag
    for field in container.headers
    where !["Date", "Connection"].contains(field.name) && !field.name.hasPrefix("Content-") {
      fields += "\(field.name): \(field.value)\n"
    }
  }

  private func publish(_ program: String, _ url: String, token: String) throws {
    let file = directory.path + "/workspace.json"
    let variable =
      #"{"variableId":"1","name":"title","type":"c","parameter":[{"type":"TEMPLATE","key":"value","value":"x"}]}"#
    let export =
      #"{"exportFormatVersion":2,"containerVersion":{"container":{"publicId":"GTM-BENCH","name":"Bench"},"variable":[\#(variable)]}}"#
    try Data(export.utf8).write(to: URL(fileURLWithPath: file))
    let publish = Process()
    publish.executableURL = URL(fileURLWithPath: program)
    publish.arguments = ["publish", file, "--server", url, "--create"]
    publish.environment = ["TAGWORKS_TOKEN": token]
    publish.standardOutput = FileHandle.nullDevice
    try publish.run()
    publish.waitUntilExit()
    guard publish.terminationStatus == 0 else { throw BenchmarkFailure("CO-603: nothing is published") }
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}
