import CXMLBaseline
import Foundation
import VideoAds

/// How fast ad documents are read, beside expat and libxml2 on the same bytes (VA-1600, VA-1604, VA-1605).
enum AdReadingBenchmarks {
  static let all: [Benchmark] = [
    Benchmark("VA-1600", corpus), Benchmark("VA-1604", playlist), Benchmark("VA-1605", hostile),
  ]

  /// The documents of class `full` that expat finds well-formed; nil where the corpus is not there.
  private static let documents: [[UInt8]]? = {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../..")
    let folder = package.appendingPathComponent("../shared/corpus/vast").standardizedFileURL
    guard let manifest = try? String(contentsOf: folder.appendingPathComponent("manifest.tsv"), encoding: .utf8) else {
      return nil
    }
    let rows = manifest.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    guard let column = rows.first?.firstIndex(of: "class") else { return nil }
    return rows.dropFirst().filter { $0.indices.contains(column) && $0[column] == "full" }.compactMap { row in
      guard let data = try? Data(contentsOf: folder.appendingPathComponent(String(row[0]))) else { return nil }
      let bytes = [UInt8](data)
      return xml_baseline_expat(bytes, bytes.count) == 0 ? bytes : nil
    }
  }()

  private static func corpus() throws -> [Row] {
    guard let documents else { return [] }
    let size = Double(documents.map(\.count).reduce(0, +))
    let baselines: [(String, (UnsafePointer<UInt8>?, Int) -> Int32)] = [
      ("expat without callbacks", xml_baseline_expat), ("libxml2 SAX without callbacks", xml_baseline_libxml2),
    ]
    return try baselines.map { name, parse in
      let (ours, baseline) = try Measurement.alternating(runs: 21) {
        for document in documents {
          guard case .vast = VASTReader.read(document).content else { continue }
        }
      } against: {
        for document in documents where parse(document, document.count) != 0 {
          throw BenchmarkFailure("VA-1600: \(name) does not parse a document")
        }
      }
      let speed = { (measured: Measurement) in size / 1e6 / measured.processor }
      let share = speed(ours) / speed(baseline)
      return Row(
        number: "VA-1600", what: "read \(documents.count) ad documents of \(Int(size)) bytes into values",
        figure: String(format: "%.0f MB/s", speed(ours)),
        baseline: "\(name): " + String(format: "%.0f MB/s", speed(baseline)),
        ratio: share, bound: name.hasPrefix("expat") ? "≥ 0.40 × the baseline" : "–",
        bounds: name.hasPrefix("expat") ? [.init(measured: 0.4, limit: share)] : [])
    }
  }

  /// A playlist of 39 breaks with one inline ad each.
  static let large: [UInt8] = {
    let trackers = (0..<70).map { number in
      "<Tracking event=\"progress\" offset=\"00:00:\(number / 7 < 10 ? "0" : "")\(number / 7)\"><![CDATA[https://t.test/p?n=\(number)&cb=[CACHEBUSTING]]]></Tracking>"
    }.joined()
    let breaks = (0..<39).map { number in
      "<vmap:AdBreak timeOffset=\"00:\(number + 10):00\" breakType=\"linear\" breakId=\"b\(number)\"><vmap:AdSource><vmap:VASTAdData>"
        + "<VAST version=\"4.2\"><Ad id=\"a\(number)\"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Impression>"
        + "https://t.test/i</Impression><Creatives><Creative><Linear><Duration>00:00:10</Duration><TrackingEvents>\(trackers)"
        + "</TrackingEvents><MediaFiles><MediaFile type=\"video/mp4\" width=\"640\" height=\"360\" bitrate=\"500\">https://m.test/v.mp4"
        + "</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST></vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>"
    }.joined()
    return Array(
      "<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\">\(breaks)</vmap:VMAP>".utf8)
  }()

  private static func playlist() throws -> [Row] {
    let bytes = large
    let (ours, baseline) = try Measurement.alternating(runs: 31) {
      guard case .vmap(let playlist) = VASTReader.read(bytes).content, playlist.breaks.count == 39 else {
        throw BenchmarkFailure("VA-1604: the playlist is not read")
      }
    } against: {
      guard xml_baseline_expat(bytes, bytes.count) == 0 else { throw BenchmarkFailure("VA-1604: not well-formed") }
    }
    let before = xml_baseline_heap()
    let kept = VASTReader.read(bytes)
    let retained = Double(xml_baseline_heap()) - Double(before)
    withExtendedLifetime(kept) {}
    return [
      Row(
        number: "VA-1604", what: "read a playlist of \(bytes.count) bytes with 39 ads",
        figure: Figure.time(ours.processor),
        baseline: "expat without callbacks: \(Figure.time(baseline.processor))",
        ratio: ours.processor / baseline.processor, bound: "≤ 10 ms",
        bounds: [.init(measured: ours.processor, limit: 10e-3)]),
      Row(
        number: "VA-1604", what: "heap that the values of that keep", figure: String(format: "%.2f MB", retained / 1e6),
        baseline: "the document: \(bytes.count) bytes", ratio: retained / Double(bytes.count), bound: "≤ 2 MB",
        bounds: [.init(measured: retained, limit: 2e6)]),
    ]
  }

  private static func hostile() throws -> [Row] {
    let size = 2 << 20
    let names = (0..<55).map { "<element\($0)>" }.joined()
    let inputs: [(String, [UInt8])] = [
      ("stray end tags", Array("<VAST>\(names)".utf8) + Array(String(repeating: "</x>", count: size / 4).utf8)),
      ("nested elements", Array("<VAST>".utf8) + Array(String(repeating: "<a>", count: size / 3).utf8)),
      ("bare ampersands", Array("<VAST>".utf8) + Array(String(repeating: "&", count: size).utf8)),
      ("less-than signs", Array("<VAST>".utf8) + Array(String(repeating: "<", count: size).utf8)),
      ("empty ads", Array("<VAST>".utf8) + Array(String(repeating: "<Ad/>", count: size / 5).utf8)),
    ]
    return inputs.map { name, bytes in
      let (ours, baseline) = Measurement.alternating(runs: 11) {
        _ = VASTReader.read(bytes)
      } against: {
        _ = xml_baseline_expat(bytes, bytes.count)
      }
      return Row(
        number: "VA-1605", what: "read 2 MiB of \(name)", figure: Figure.time(ours.processor),
        baseline: "expat, which stops at the first error: \(Figure.time(baseline.processor))", ratio: nil,
        bound: "≤ 100 ms", bounds: [.init(measured: ours.processor, limit: 0.1)])
    }
  }
}
