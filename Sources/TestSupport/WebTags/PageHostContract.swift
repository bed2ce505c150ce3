import Foundation
import Hits
package import WebTags

/// What every `PageHost` promises (WT-700 to WT-704), checked with a page that both engines and the scripted host run.
///
/// The page's functions are `fixture.echo(x)`, `nothing()`, `fail(text)`, `hang()`, `spin()`, `post(text)`,
/// `go(url)` and `count()`; the last tells how often `echo` was called.
package enum PageHostContract {
  package typealias Case = ContractCase<any PageHost>

  /// The base of the page; nothing is fetched from it.
  package static let base = "https://page.invalid/fixture.html"

  /// The page, which the bootstrap makes.
  package static let html = "<!doctype html><html><head><title>fixture</title></head><body></body></html>"

  /// The bootstrap of the page.
  package static let bootstrap = """
    (function () {
      let calls = 0;
      window.fixture = {
        echo(value) { calls += 1; return value; },
        nothing() {},
        fail(text) { throw new TypeError(text); },
        hang() { this.post("hanging"); return new Promise((resolve) => { window.kept = resolve; }); },
        spin() { this.post("spinning"); for (;;) {} },
        post(text) { window.webkit.messageHandlers.tagworks.postMessage(text); },
        go(url) { window.location.href = url; return true; },
        count() { return calls; },
      };
    })();
    """

  /// Options that suit the cases: short calls, and every navigation to the command scheme is a command.
  package static var options: PageHostOptions {
    PageHostOptions(session: .ephemeral, navigationCommands: .any, callLimit: .seconds(3))
  }

  package static let cases: [Case] = calls + loads + ends + effects

  private static func opened(_ host: any PageHost, callLimit: Duration? = nil) async throws {
    var options = options
    if let callLimit { options.callLimit = callLimit }
    try await host.open(options)
    await host.setBootstrap(bootstrap)
  }

  @discardableResult
  private static func loaded(
    _ host: any PageHost, _ id: UInt64 = 1, callLimit: Duration? = nil
  ) async throws -> EventReader {
    try await opened(host, callLimit: callLimit)
    let reader = EventReader(host)
    await load(host, id)
    try await reader.wait("finished \(id)") { $0.load?.rawValue == id && $0.isFinished }
    return reader
  }

  private static func load(_ host: any PageHost, _ id: UInt64) async {
    guard let base = URL(string: base) else { return }
    await host.load(.html(html, base: base), id: LoadID(rawValue: id))
  }

  private static func code(_ body: () async throws(PageHostError) -> Void) async -> PageHostError.Code? {
    do {
      try await body()
      return nil
    } catch {
      return error.code
    }
  }

  private static func failure(_ host: any PageHost, _ path: String, _ argument: String = "null") async
    -> PageHostError.Code?
  {
    await code { () async throws(PageHostError) in _ = try await host.call(path, argument) }
  }

  private static let calls: [Case] = [
    Case("a call before open fails") { host in
      try require(await failure(host, "fixture.echo"), is: .notOpen, "error")
    },
    Case("an argument arrives as it is, and the result comes back as JSON") { host in
      try await loaded(host)
      let text = "'\"\\\n\r\u{2028}\u{2029}😀</script>${x}`');window.pwned=1;('"
      let value: Value = ["a": .list([1, 2.5, true, nil, .string(text)]), "__proto__x": [:]]
      let result = try await host.call("fixture.echo", value.jsonText)
      try require(try Value(json: result), is: value, "result")
      try require(try await host.call("fixture.nothing", "null"), is: "null", "undefined")
      try require(await failure(host, "window.pwned"), is: .notAFunction, "what would be executed")
    },
    Case("a path that is none, a function that is none and a long argument are refused by name") { host in
      try await loaded(host)
      try require(await failure(host, "fixture.echo;alert(1)"), is: .badPath, "bad path")
      try require(await failure(host, "fixture.missing"), is: .notAFunction, "missing function")
      try require(await failure(host, "nowhere.at.all"), is: .notAFunction, "missing object")
      let long = "\"" + String(repeating: "a", count: PageCall.longestArgument) + "\""
      try require(await failure(host, "fixture.echo", long), is: .argumentTooLarge, "long argument")
    },
    Case("what a function throws is a script error with its words") { host in
      try await loaded(host)
      do throws(PageHostError) {
        _ = try await host.call("fixture.fail", "\"so\"")
      } catch {
        try require(error.code, is: .script, "error")
        try require(error.message, is: "TypeError: so", "message")
        return
      }
      throw ContractFailure(description: "no error")
    },
    Case("two hundred calls at once all complete") { host in
      try await loaded(host)
      let sum = try await withThrowingTaskGroup(of: Int64.self) { group in
        for number in 1...200 {
          group.addTask {
            try Value(json: try await host.call("fixture.echo", String(number))) == .int(Int64(number)) ? 1 : 0
          }
        }
        return try await group.reduce(0, +)
      }
      try require(sum, is: 200, "right results")
      try require(try await host.call("fixture.count", "null"), is: "200", "calls in the page")
    },
    Case("a promise that is never kept ends with the time limit") { host in
      try await loaded(host, callLimit: .seconds(1))
      try require(await failure(host, "fixture.hang"), is: .timeout, "error")
      try require(try await host.call("fixture.echo", "1"), is: "1", "the next call")
    },
  ]

  private static let loads: [Case] = [
    Case("a load tells its start and its end, in order, with its id and its URL") { host in
      let reader = try await loaded(host, 7)
      let kinds = reader.seen.filter { $0.load?.rawValue == 7 }.compactMap { event -> String? in
        switch event.kind {
        case .started: "started"
        case .finished(let url): "finished \(url)"
        case .response: "response"
        default: nil
        }
      }
      try require(kinds, is: ["started", "finished \(base)"], "events")
    },
    Case("a call during a load completes in the new page") { host in
      try await opened(host)
      let reader = EventReader(host)
      async let result = host.call("fixture.echo", "5")
      await load(host, 1)
      try require(try await result, is: "5", "result")
      try await reader.wait("finished") { $0.isFinished }
    },
    Case("a new load takes the place of the one under way") { host in
      try await opened(host)
      let reader = EventReader(host)
      await load(host, 1)
      await load(host, 2)
      try await reader.wait("the second page") { $0.load?.rawValue == 2 && $0.isFinished }
      let first = reader.seen.filter { $0.load?.rawValue == 1 }
      let isSettled = first.contains { $0.isFinished || $0.kind == .failed(.superseded) }
      try require(isSettled, is: true, "the first load has an end")
      try require(try await host.call("fixture.echo", "2"), is: "2", "call in the second page")
    },
  ]

  private static let ends: [Case] = [
    Case("an endless loop is ended by terminate, and the next load makes a new process") { host in
      let reader = try await loaded(host)
      async let spinning = failure(host, "fixture.spin")
      try await reader.wait("the loop's begin") { $0.isMessage("spinning") }
      async let waiting = failure(host, "fixture.echo")
      await host.terminate()
      try require(await spinning, is: .processTerminated, "the call that spins")
      try require(await waiting, is: .processTerminated, "the call behind it")
      try await reader.wait("the end of the process") { $0.kind == .processTerminated(.api) }
      try require(await failure(host, "fixture.echo"), is: .processTerminated, "a call after the end")
      await load(host, 2)
      try await reader.wait("the new page") { $0.load?.rawValue == 2 && $0.isFinished }
      try require(try await host.call("fixture.count", "null"), is: "0", "a fresh page")
    },
    Case("close fails what is outstanding, ends the events, and may be called again") { host in
      let reader = try await loaded(host)
      async let hanging = failure(host, "fixture.hang")
      try await reader.wait("the call's begin") { $0.isMessage("hanging") }
      await host.close()
      await host.close()
      try require(await hanging, is: .closed, "outstanding call")
      try require(await failure(host, "fixture.echo"), is: .closed, "later call")
      await reader.end()
      try require(reader.seen.last?.kind, is: .closed, "last event")
      try require(reader.seen.filter { $0.kind == .closed }.count, is: 1, "how often")
    },
  ]

  private static let effects: [Case] = [
    Case("a text that the page posts is a message with its name and its body") { host in
      let reader = try await loaded(host)
      _ = try await host.call("fixture.post", "\"a\\u2028b\"")
      try await reader.wait("the message") { event in
        guard case .message("tagworks", "a\u{2028}b", let frame) = event.kind else { return false }
        return frame.isMain != false
      }
    },
    Case("a navigation to the command scheme is a command, and the page stays") { host in
      let reader = try await loaded(host)
      _ = try await host.call("fixture.go", "\"tealium://hello?request=%7B%7D\"")
      try await reader.wait("the command") { event in
        guard case .command("tealium://hello?request=%7B%7D", _) = event.kind else { return false }
        return true
      }
      try require(try await host.call("fixture.echo", "1"), is: "1", "the page")
    },
    Case("a navigation away is stopped, and the page stays") { host in
      let reader = try await loaded(host)
      _ = try await host.call("fixture.go", "\"https://elsewhere.invalid/\"")
      try await reader.wait("the stopped navigation") { event in
        guard case .navigationBlocked(let navigation) = event.kind else { return false }
        return navigation.url == "https://elsewhere.invalid/"
      }
      try require(try await host.call("fixture.echo", "1"), is: "1", "the page")
    },
    Case("a cookie is set, found by its URL alone, replaced and removed") { host in
      try await loaded(host)
      guard let url = URL(string: base), let other = URL(string: "https://other.invalid/") else { return }
      var cookie = WebCookie(
        name: "utag_main", value: "v_id:1", domain: "page.invalid",
        expires: Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded() + 86_400), secure: true)
      try await host.setCookie(cookie)
      cookie.value = "v_id:2"
      try await host.setCookie(cookie)
      try require(try await host.cookies(for: url).map(\.value), is: ["v_id:2"], "cookies of the URL")
      try require(try await host.cookies(for: other).count, is: 0, "cookies of another")
      try require(try await host.cookies(for: nil).map(\.name), is: ["utag_main"], "the whole jar")
      try await host.removeCookies(for: url)
      try require(try await host.cookies(for: nil).count, is: 0, "cookies after removal")
    },
  ]

  /// The contract's page, as the scripted host plays it.
  package static var script: ScriptedPageHost.Script {
    let calls = Locked(0)
    var script = ScriptedPageHost.Script()
    script.load = { source in
      calls.withLock { $0 = 0 }
      guard case .html(_, let base) = source else { return [] }
      return [.started, .finished(url: base.absoluteString)]
    }
    script.call = { path, argument in
      switch path {
      case "fixture.echo":
        calls.withLock { $0 += 1 }
        return .value((try? Value(json: argument))?.jsonText ?? "null")
      case "fixture.nothing": return .value("null")
      case "fixture.post", "fixture.go": return .value("true")
      case "fixture.count": return .value(String(calls.withLock { $0 }))
      case "fixture.fail":
        return .failure(PageHostError(.script, "TypeError: " + ((try? Value(json: argument))?.string ?? "")))
      case "fixture.hang": return .hold
      case "fixture.spin": return .spin
      default: return .failure(PageHostError(.notAFunction, "\(path) is not a function"))
      }
    }
    script.effects = { path, argument in
      let text = (try? Value(json: argument))?.string ?? ""
      let main = PageFrame(isMain: true)
      switch path {
      case "fixture.hang": return [.message(name: "tagworks", body: "hanging", frame: main)]
      case "fixture.spin": return [.message(name: "tagworks", body: "spinning", frame: main)]
      case "fixture.post": return [.message(name: "tagworks", body: text, frame: main)]
      case "fixture.go" where text.hasPrefix("tealium://"): return [.command(url: text, frame: main)]
      case "fixture.go": return [.navigationBlocked(PageNavigation(url: text, kind: .navigation, frame: main))]
      default: return []
      }
    }
    return script
  }
}

extension PageEvent {
  fileprivate var isFinished: Bool { if case .finished = kind { true } else { false } }

  fileprivate func isMessage(_ text: String) -> Bool {
    if case .message("tagworks", text, _) = kind { true } else { false }
  }
}
