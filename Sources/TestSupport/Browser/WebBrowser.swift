package import Hits

/// A headless Chromium with one window, driven by WebDriver.
package final class WebBrowser: Sendable {
  private let transport: any HTTPTransport
  private let session: String
  private let driver: ChromeDriver

  /// A refusal of the browser, such as an element that is not there.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  /// How long an element may take to appear: a page of a slow machine takes its time, and only a failure takes all of it.
  private static let patience = 60_000

  /// Runs work with a browser, and ends it whatever comes of the work; nothing but one line where there is no browser.
  package static func run(
    for suite: String, transport: any HTTPTransport, _ work: (WebBrowser) async throws -> Void
  ) async throws {
    guard let driver = try ChromeDriver(for: suite) else { return }
    let browser: WebBrowser
    do { browser = try await WebBrowser(driver, transport: transport) } catch let failure as Failure {
      guard failure.description.contains("cannot find Chrome binary") else { throw failure }
      print("\(suite): there is no Chromium; nothing was checked")
      return
    }
    do { try await work(browser) } catch {
      // The work's own error says more.
      try? await browser.quit()
      throw error
    }
    try await browser.quit()
  }

  private init(_ driver: ChromeDriver, transport: any HTTPTransport) async throws {
    let options: Value = [
      "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
    ]
    let wanted: Value = [
      "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": ["browser": "ALL"],
      "timeouts": ["implicit": .int(Int64(Self.patience)), "script": .int(Int64(Self.patience))],
    ]
    let answer = try await Self.begin(transport, driver.url + "/session", ["capabilities": ["alwaysMatch": wanted]])
    guard let id = answer.map?["sessionId"]?.string else { throw Failure(description: "no session: \(answer)") }
    self.transport = transport
    self.driver = driver
    session = driver.url + "/session/\(id)"
  }

  /// A browser that does not start in a minute, beside a machine's other work, is started again.
  private static func begin(_ transport: any HTTPTransport, _ url: String, _ wanted: Value) async throws -> Value {
    for _ in 1..<3 {
      do { return try await send(transport, "POST", url, wanted) } catch let failure as Failure {
        guard failure.description.hasPrefix("session not created") else { throw failure }
        print("the browser did not start: \(failure.description.prefix(200))")
      }
    }
    return try await send(transport, "POST", url, wanted)
  }

  private func quit() async throws { _ = try await Self.send(transport, "DELETE", session, nil) }

  private static func send(
    _ transport: any HTTPTransport, _ method: String, _ url: String, _ body: Value?
  ) async throws -> Value {
    let response = try await transport.send(
      HTTPRequest(
        method: method, url: url, headers: ["Content-Type": "application/json"], body: body?.jsonBytes ?? [],
        timeout: .seconds(180), responseLimit: 64 << 20))
    let value =
      try Value(json: response.body, limits: JSONLimits(bytes: 64 << 20, textBytes: 48 << 20)).map?["value"] ?? .null
    guard response.status == 200 else {
      throw Failure(description: "\(value.map?["error"]?.string ?? ""): \(value.map?["message"]?.string ?? "")")
    }
    return value
  }

  private func send(_ method: String, _ path: String, _ body: Value? = nil) async throws -> Value {
    try await Self.send(transport, method, session + path, body)
  }

  /// Opens an address, and waits for the page.
  package func open(_ url: String) async throws { _ = try await send("POST", "/url", ["url": .string(url)]) }

  package var url: String { get async throws { try await send("GET", "/url").string ?? "" } }

  private static let elementKey = "element-6066-11e4-a52e-4f735466cecf"

  /// Finds an element by a CSS selector, or waits for it.
  private func element(_ selector: String) async throws -> String {
    let found = try await send("POST", "/element", ["using": "css selector", "value": .string(selector)])
    guard let id = found.map?[Self.elementKey]?.string else { throw Failure(description: "no element: \(found)") }
    return id
  }

  /// Waits until an element is there.
  package func wait(for selector: String) async throws { _ = try await element(selector) }

  package func click(_ selector: String) async throws {
    _ = try await send("POST", "/element/\(try await element(selector))/click", [:])
  }

  /// Types into an input, after what is in it was removed.
  package func type(_ text: String, into selector: String) async throws {
    let id = try await element(selector)
    _ = try await send("POST", "/element/\(id)/clear", [:])
    if !text.isEmpty { _ = try await send("POST", "/element/\(id)/value", ["text": .string(text)]) }
  }

  /// Sends keys to an input as they are, a file's path to one for files.
  package func sendKeys(_ text: String, to selector: String) async throws {
    _ = try await send("POST", "/element/\(try await element(selector))/value", ["text": .string(text)])
  }

  /// Presses keys wherever the keyboard is.
  package func press(_ keys: String...) async throws {
    let actions = keys.flatMap { key -> [Value] in
      [["type": "keyDown", "value": .string(key)], ["type": "keyUp", "value": .string(key)]]
    }
    _ = try await send(
      "POST", "/actions", ["actions": [["type": "key", "id": "keyboard", "actions": .list(actions)]]])
  }

  /// The text of an element as it is seen.
  package func text(_ selector: String = "body") async throws -> String {
    try await send("GET", "/element/\(try await element(selector))/text").string ?? ""
  }

  /// Chooses an option by its value.
  package func choose(_ value: String, in selector: String) async throws {
    try await click("\(selector) option[value=\"\(value)\"]")
  }

  /// Runs a script in the page, and gives what it returns.
  @discardableResult
  package func run(_ script: String, _ arguments: [Value] = []) async throws -> Value {
    try await send("POST", "/execute/sync", ["script": .string(script), "args": .list(arguments)])
  }

  /// Runs a script that calls its last argument with the result.
  package func runAsync(_ script: String) async throws -> Value {
    try await send("POST", "/execute/async", ["script": .string(script), "args": []])
  }

  /// The window as a PNG, in base64.
  package func screenshot() async throws -> String { try await send("GET", "/screenshot").string ?? "" }

  private func command(_ name: String, _ parameters: Value) async throws {
    _ = try await send("POST", "/goog/cdp/execute", ["cmd": .string(name), "params": parameters])
  }

  /// Makes the page as large as a screen, in points.
  package func setSize(width: Int, height: Int) async throws {
    try await command(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .int(Int64(width)), "height": .int(Int64(height)), "deviceScaleFactor": 1, "mobile": false,
      ])
  }

  /// Says which colours the person likes: `light` or `dark`.
  package func setColors(_ scheme: String) async throws {
    try await command(
      "Emulation.setEmulatedMedia", ["features": [["name": "prefers-color-scheme", "value": .string(scheme)]]])
  }

  /// What the browser had to complain about since the last time, such as what a policy has kept out.
  package func complaints() async throws -> [String] {
    try await send("POST", "/se/log", ["type": "browser"]).list?.compactMap { $0.map?["message"]?.string } ?? []
  }
}
