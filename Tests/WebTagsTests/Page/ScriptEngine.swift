import Foundation
import Hits
import TestSupport
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
  ) async throws -> Value {
    let options = Bootstrap.Options(
      token: "0123456789ABCDEF", origin: "https://page.invalid", scheme: "tealium", overrides: overrides,
      beaconFallback: true, scripts: [])
    return try await ScriptProcess.shared.run(
      "\(window)\n\(before)\n\(Bootstrap.source(options, for: tag))\n(async () => { \(script) })()")
  }

  /// Calls a path as adapters do, with the constant caller.
  static func call(_ path: String, _ argument: Value) -> String {
    let call = "(async function (path, argument) { \(PageCall.source) })"
    return "\(call)(\(Value.string(path).jsonText), \(Value.string(PageJSON.text(argument)).jsonText))"
  }
}

/// One Node.js for all tests: each script gets globals of its own there, and one line with its value comes back.
private final class ScriptProcess: Sendable {
  static let shared = ScriptProcess()

  private static let loop = """
    const vm = require("node:vm"), readline = require("node:readline");
    const own = { setTimeout, clearTimeout, setImmediate, queueMicrotask, URL, URLSearchParams, Blob, console };
    const run = async (source) => {
      const late = new Promise((_, reject) => setTimeout(() => reject("late"), 20000).unref());
      try { return await Promise.race([late, vm.runInContext(source, vm.createContext({ ...own }))]); }
      catch (error) { return "threw " + error; }
    };
    readline.createInterface({ input: process.stdin }).on("line", async (line) => {
      process.stdout.write(JSON.stringify((await run(JSON.parse(line))) ?? null) + "\\n");
    });
    """

  private struct State {
    var process: Process?
    var rest: [UInt8] = []
  }

  private struct Ended: Error {}

  private let state = Locked(State())
  private let input = Pipe()
  private let output = Pipe()

  func run(_ source: String) async throws -> Value {
    let text = PageJSON.text(.string(source)) + "\n"
    let line = try await blocking { try self.exchange(text) }
    return try Value(json: line)
  }

  /// Under the lock for all its time: one script after another.
  private func exchange(_ text: String) throws -> [UInt8] {
    try state.withLock { state in
      if state.process == nil { state.process = try start() }
      try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
      while true {
        if let end = state.rest.firstIndex(of: UInt8(ascii: "\n")) {
          defer { state.rest.removeSubrange(...end) }
          return Array(state.rest[..<end])
        }
        let data = output.fileHandleForReading.availableData
        if data.isEmpty { throw Ended() }
        state.rest += data
      }
    }
  }

  private func start() throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: ScriptEngine.path ?? "")
    process.arguments = ["-e", Self.loop]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    return process
  }
}
