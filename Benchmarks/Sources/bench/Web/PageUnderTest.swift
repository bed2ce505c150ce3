import Foundation
import WebTags
import WebViewHost

/// One hidden page in a helper process, with its events.
final class PageUnderTest: Sendable {
  let host: any PageHost
  private let events: AsyncStream<PageEvent>

  /// The page of the measurements: it gives back what it is called with, and answers a message by a call.
  static let html = """
    <!doctype html><html><head><script>
    window.deliver = argument => ({results: (argument.events || [argument]).map(e => ({id: e.id, ok: true}))});
    window.ask = () => new Promise(done => { window.answer = done; webkit.messageHandlers.tagworks.postMessage("?"); });
    window.reply = value => { window.answer(value); };
    </script></head><body></body></html>
    """

  init(factory: WebViewHostFactory, session: PageSession = .ephemeral) async throws {
    host = factory.make()
    events = host.events
    try await host.open(PageHostOptions(session: session))
  }

  /// Loads the page and waits until it is there.
  func load(_ id: UInt64) async throws {
    guard let base = URL(string: "https://page.invalid/") else { throw BenchmarkFailure("a constant URL") }
    await host.load(.html(Self.html, base: base), id: LoadID(rawValue: id))
    for await event in events where event.load?.rawValue == id {
      switch event.kind {
      case .finished: return
      case .failed(let error): throw error
      default: continue
      }
    }
    throw BenchmarkFailure("the page did not load")
  }

  /// Answers so many messages of the page, each by a call.
  func answer(_ count: Int) async throws {
    var left = count
    for await event in events {
      guard case .message = event.kind else { continue }
      _ = try await host.call("reply", "1")
      left -= 1
      if left == 0 { return }
    }
  }

  /// An event of about 2 KB, as JSON text.
  static func event(_ number: Int) -> String {
    let fields = (0..<40).map { "\"key_\($0)\":\"value number \($0) of a usual event, with text\"" }
    return "{\"id\":\"\(number)\",\"type\":\"link\",\"data\":{\(fields.joined(separator: ","))}}"
  }
}

/// The processes below this one that have come since a moment, and what they use.
struct ChildProcesses {
  /// Those of other measurements, which are none of these.
  private let before = Set(Self.everyone())

  /// Their proportional share of memory, in bytes.
  func memory() -> Double {
    all().reduce(0) { $0 + (OwnProcess.fact("Pss:", in: "/proc/\($1)/smaps_rollup") ?? 0) * 1_024 }
  }

  /// Seconds of processor time that they have used.
  func processor() -> Double {
    let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
    return all().reduce(0) { sum, id in
      let fields = Self.fields(id)
      guard fields.count > 12 else { return sum }
      return sum + ((Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0)) / ticks
    }
  }

  /// How many there are.
  func count() -> Int { all().count }

  private func all() -> [Int] { Self.everyone().filter { !before.contains($0) } }

  private static func everyone() -> [Int] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let parents = Dictionary(
      names.compactMap { Int($0) }.compactMap { id in
        let fields = fields(id)
        return fields.count > 1 && fields[0] != "Z" ? Int(fields[1]).map { (id, $0) } : nil
      }, uniquingKeysWith: { $1 })
    return parents.keys.filter { id in
      var parent = parents[id]
      while let next = parent, next > 1 {
        if next == Int(getpid()) { return true }
        parent = parents[next]
      }
      return false
    }
  }

  /// The fields of `stat` from the state on.
  private static func fields(_ id: Int) -> [Substring] {
    guard let line = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
      let close = line.lastIndex(of: ")")
    else { return [] }
    return line[line.index(after: close)...].split(separator: " ")
  }
}
