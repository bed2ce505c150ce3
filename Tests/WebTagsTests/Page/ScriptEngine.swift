import Foundation
import Hits
import Testing

@testable import WebTags

/// Runs a page's scripts in Node.js, where it is installed: the bootstrap and the adapters without a web engine.
enum ScriptEngine {
  static let path = ["/usr/bin/node", "/usr/local/bin/node", "/opt/homebrew/bin/node"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Whether there is one; the tests that need it say so when there is not.
  static var isThere: Bool {
    if path == nil { print("Node.js is not installed: the bootstrap's own tests are skipped") }
    return path != nil
  }

  /// A browser's globals as far as the bootstrap looks at them; `posted` holds its messages.
  private static let window = #"""
    const posted = [];
    globalThis.window = globalThis;
    window.top = window;
    window.location = { origin: "https://page.invalid", href: "https://page.invalid/" };
    window.webkit = { messageHandlers: { tagworks: { postMessage(text) { posted.push(JSON.parse(text)); } } } };
    const listeners = {};
    window.addEventListener = (name, body) => { (listeners[name] ||= []).push(body); };
    const fire = (name, event) => { for (const body of listeners[name] || []) { body(event); } };
    window.opened = [];
    window.open = (...rest) => { window.opened.push(rest); return "opened"; };
    window.fetched = [];
    window.fetch = (url, options) => { window.fetched.push([url, options.method, options.mode]); return Promise.resolve(); };
    let beacons = true;
    const navigatorObject = { sendBeacon: () => beacons };
    Object.defineProperty(globalThis, "navigator", { value: navigatorObject, configurable: true });
    """#

  /// Runs a bootstrap and then a test's own script, which ends with a value; gives the value.
  static func run(
    for tag: UniversalTag = .utag, overrides: JSONObject = ["noview": true], before: String = "", _ script: String
  ) throws -> Value {
    let options = Bootstrap.Options(
      token: "0123456789ABCDEF", origin: "https://page.invalid", scheme: "tealium", overrides: overrides,
      beaconFallback: true, scripts: [])
    let source = """
      \(window)
      \(before)
      \(Bootstrap.source(options, for: tag))
      (async () => { \(script) })().then((value) => { process.stdout.write(JSON.stringify(value ?? null)); process.exit(0); },
        (error) => { process.stdout.write(JSON.stringify("threw " + error)); process.exit(0); });
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(path))
    let (input, output) = (Pipe(), Pipe())
    process.arguments = ["-"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(source.utf8))
    try input.fileHandleForWriting.close()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try Value(json: Array(text))
  }

  /// Calls a path as adapters do, with the constant caller.
  static func call(_ path: String, _ argument: Value) -> String {
    let call = "(async function (path, argument) { \(PageCall.source) })"
    return "\(call)(\(Value.string(path).jsonText), \(Value.string(PageJSON.text(argument)).jsonText))"
  }
}
