import Foundation
import Hits
import TestSupport
import Testing
import WebTags
import WebViewHost

@Suite("WebKitGTK: calls", RealEngine.condition) struct CallTests {
  private static let page = """
    <script>
    window.echo = value => value;
    const order = [];
    let outstanding = 0, most = 0;
    window.note = number => new Promise(done => {
      order.push(number);
      most = Math.max(most, ++outstanding);
      setTimeout(() => { outstanding--; done(); }, 50);
    });
    window.noted = () => order;
    window.most = () => most;
    window.a = {b: {c() { return this === window.a.b; }}, value: 1};
    window.fail = () => { throw new TypeError("not today"); };
    window.reject = () => Promise.reject(new Error("no"));
    window.rejectText = () => Promise.reject("only text");
    window.never = () => new Promise(() => {});
    window.nothing = () => undefined;
    window.gives = () => () => 1;
    window.circle = () => { const o = {}; o.o = o; return o; };
    window.big = () => 12345678901234567890n;
    </script>
    """

  @Test(
    "WT-404, 423: the page gets what the app gave, as data",
    arguments: [
      "null", "true", "-1.5", "9007199254740991", #""9007199254740993""#, #""""#, #"[]"#, #"{}"#,
      #"{"a":[1,"two",{"three":null}],"é":"🙂"}"#, #""'); window.pwned=1; ('""#, ##""\"); window.pwned=1; //""##,
      #""</script><script>window.pwned=1</script>""#, #""${window.pwned=1}`+window.pwned+`""#,
      "\"line\u{2028}and\u{2029}paragraph\"", #""\u0000\u0001\b\f\n\r\t\\\"""#, #"{"__proto__":{"pwned":1}}"#,
      #"{"constructor":{"prototype":{"pwned":1}},"toJSON":"x","then":"y"}"#, #""javascript:window.pwned=1""#,
      #""%27);window.pwned=1;//""#, #""\uD83D""#,
    ])
  func data(text: String) async throws {
    let page = try await Self.shared.value
    let expected = try Value(json: text)
    #expect(try Value(json: try await page.host.call("echo", text)) == expected)
    #expect(try await page.host.call("hasBeenPwned", "null") == "false")
  }

  @Test(
    "WT-800: a path is names and dots, and nothing of it is ever run",
    arguments: [
      "", ".", "a.", ".a", "a..b", "1a", "a b", "a()", "a[0]", "echo;window.pwned=1", "echo\u{0}", "é", "a.b-c",
      "alert(1)//", "echo`x`", "window['echo']", "(()=>{window.pwned=1})", "a\n.b", "import('x')",
    ])
  func paths(path: String) async throws {
    let page = try await Self.shared.value
    let error = await #expect(throws: PageHostError.self) { try await page.host.call(path, "1") }
    #expect(error?.code == .badPath)
    #expect(try await page.host.call("hasBeenPwned", "null") == "false")
  }

  @Test(
    "WT-702: results are JSON texts; what JSON cannot say is null",
    arguments: [
      ("nothing", "null"), ("gives", "null"), ("a.b.c", "true"), ("reject.bind", "null"), ("String", #""7""#),
    ])
  func results(path: String, result: String) async throws {
    let page = try await Self.shared.value
    #expect(try await page.host.call(path, "7") == result)
  }

  @Test(
    "WT-425, 703: an exception and a rejected promise are script errors with the page's words",
    arguments: [
      ("fail", "TypeError: not today"), ("reject", "Error: no"), ("rejectText", "only text"), ("circle", nil),
      ("big", nil),
    ] as [(String, String?)])
  func scriptErrors(path: String, message: String?) async throws {
    let page = try await Self.shared.value
    let error = await #expect(throws: PageHostError.self) { try await page.host.call(path, "null") }
    #expect(error?.code == .script)
    if let message { #expect(error?.message == message) }
    if path == "fail" { #expect(error?.script?.line == 13) }
  }

  @Test(
    "WT-703: what is no function is told from a function that fails",
    arguments: ["missing", "a.missing", "a.value", "missing.at.all", "undefined", "a.b.c.d.e"])
  func noFunction(path: String) async throws {
    let page = try await Self.shared.value
    let error = await #expect(throws: PageHostError.self) { try await page.host.call(path, "1") }
    #expect(error?.code == .notAFunction)
  }

  @Test("WT-703: an argument that is no JSON is a script error, one of more than 8 MiB is refused")
  func badArguments() async throws {
    let page = try await Self.shared.value
    let broken = await #expect(throws: PageHostError.self) { try await page.host.call("echo", "{") }
    #expect(broken?.code == .script)
    let long = "\"" + String(repeating: "x", count: PageCall.longestArgument - 1) + "\""
    let refused = await #expect(throws: PageHostError.self) { try await page.host.call("echo", long) }
    #expect(refused?.code == .argumentTooLarge)
    let fits = String(long.dropFirst(2)).dropLast()
    #expect(try await page.host.call("echo", "\"\(fits)\"").utf8.count == PageCall.longestArgument)
  }

  @Test("WT-702: calls start in the order in which they are made, though 64 at most are outstanding")
  func order() async throws {
    let page = try await RealPage()
    try await page.load(Self.page)
    let host = page.host
    // Each call is made at once, on this thread, and only its answer is waited for.
    let calls = (1...200).map { number in Task.immediate { try await host.call("note", "\(number)") } }
    for call in calls { _ = try await call.value }
    #expect(try Value(json: try await host.call("noted", "null")) == .list((1...200).map { .int($0) }))
    #expect(try await host.call("most", "null") == "64")
  }

  @Test("WT-304, 315: a call without an answer ends with timeout, and the page goes on")
  func timeout() async throws {
    let page = try await RealPage(options: PageHostOptions(callLimit: .milliseconds(200)))
    try await page.load(Self.page)
    let error = await #expect(throws: PageHostError.self) { try await page.host.call("never", "1") }
    #expect(error?.code == .timeout)
    #expect(try await page.host.call("echo", "1") == "1")
  }

  @Test("WT-315: a document that takes another's place ends the calls that ran in it")
  func replaced() async throws {
    let page = try await RealPage()
    try await page.load(Self.page)
    let never = Task { try await page.host.call("never", "1") }
    #expect(try await page.host.call("echo", "1") == "1")
    try await page.load(Self.page)
    let error = await #expect(throws: PageHostError.self) { try await never.value }
    #expect(error?.code == .superseded)
  }

  @Test("WT-700: after close calls fail as closed, the last event is closed, and a second close does nothing")
  func closing() async throws {
    let page = try await RealPage()
    try await page.load(Self.page)
    let never = Task { try await page.host.call("never", "1") }
    #expect(try await page.host.call("echo", "1") == "1")
    await page.host.close()
    await page.host.close()
    let (outstanding, later) = (
      await #expect(throws: PageHostError.self) { try await never.value },
      await #expect(throws: PageHostError.self) { try await page.host.call("echo", "1") }
    )
    #expect(outstanding?.code == .closed)
    #expect(later?.code == .closed)
    _ = try await page.events.first("closed") { $0.kind == .closed ? true : nil }
    #expect(page.events.seen.last?.kind == .closed)
  }

  @Test("WT-703: a host that was never opened says so")
  func neverOpened() async throws {
    let host = RealEngine.factory.make()
    let error = await #expect(throws: PageHostError.self) { try await host.call("echo", "1") }
    #expect(error?.code == .notOpen)
    await host.close()
    let closed = await #expect(throws: PageHostError.self) { try await host.open(PageHostOptions()) }
    #expect(closed?.code == .closed)
  }

  /// One page for the tests that leave it as it was.
  private static let shared = Task {
    let page = try await RealPage()
    try await page.load(Self.page + "<script>window.hasBeenPwned = () => 'pwned' in window || 'pwned' in {}</script>")
    return page
  }
}
