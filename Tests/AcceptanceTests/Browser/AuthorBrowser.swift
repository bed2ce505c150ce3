import Foundation
import HTTPClient
import Hits
import TestSupport
import Testing

/// A console in a process of its own, and a browser in which somebody works with it.
final class AuthorBrowser {
  static let password = "correct horse battery"

  let url: String
  let browser: WebBrowser
  private let server: RunningServer

  private init(_ browser: WebBrowser, data: String) throws {
    self.browser = browser
    server = try RunningServer(data: data)
    url = server.url
  }

  /// Runs work with both; nothing where there is no browser.
  static func run(
    _ directory: TemporaryDirectory, for suite: String, _ work: (AuthorBrowser) async throws -> Void
  ) async throws {
    try await WebBrowser.run(for: suite, transport: PlatformTransport()) { browser in
      let author = try AuthorBrowser(browser, data: directory.file("console"))
      try await browser.setSize(width: 1280, height: 900)
      try await work(author)
      #expect(author.server.stop() == 0)
    }
  }

  /// Sets the server up by the link that it has printed.
  func setUp() async throws {
    let token = try #require(server.setupToken())
    try await open("/setup?token=\(token)")
    try await browser.type("Ana", into: "[name=name]")
    try await browser.type(Self.password, into: "[name=password]")
    try await send()
    try await browser.wait(for: "a[href='/containers-new']")
  }

  func open(_ path: String) async throws { try await browser.open(url + path) }

  /// Sends the page's form by its first button that does.
  func send(_ form: String = "main form") async throws { try await leave(by: "\(form) .actions button[type=submit]") }

  /// Leaves the page by a link or button, and waits for the next page: what looks for an element would find it in the
  /// page that is about to go.
  func leave(by selector: String) async throws {
    try await browser.run("document.documentElement.dataset.left = ''")
    try await browser.click(selector)
    try await browser.wait(for: "html:not([data-left]) main")
  }

  /// Types into the inputs of a form, by their names.
  func fill(_ fields: [String: String]) async throws {
    for (name, text) in fields.sorted(by: { $0.key < $1.key }) {
      try await browser.type(text, into: "[name='\(name)']")
    }
  }

  func expect(_ text: String, in selector: String = "main", sourceLocation: SourceLocation = #_sourceLocation)
    async throws
  {
    let found = try await browser.text(selector)
    #expect(found.contains(text), "\(found.prefix(600))", sourceLocation: sourceLocation)
  }

  /// Makes a container and goes to its overview.
  func makeContainer() async throws {
    try await open("/containers-new")
    try await fill(["name": "Shop", "id": "GTM-SHOP"])
    try await send()
    try await browser.wait(for: ".container-nav")
  }

  /// Imports a file: looks at what would change, and does it.
  func importFile(_ path: String) async throws {
    try await open("/containers/GTM-SHOP/exchange")
    try await browser.sendKeys(path, to: "[type=file]")
    try await browser.choose("overwrite", in: "[name=mode]")
    try await send()
    try await browser.wait(for: ".made .change")
    try await browser.click(".made button[type=submit]")
    try await browser.wait(for: ".notice")
  }

  /// A file of the console, fetched with the browser's session.
  func download(_ path: String) async throws -> [UInt8] {
    let text =
      try await browser.runAsync(
        """
        const done = arguments[arguments.length - 1];
        fetch('\(path)').then(r => r.arrayBuffer()).then(b => done(Array.from(new Uint8Array(b), x => x.toString(16).padStart(2, '0')).join('')));
        """
      ).string ?? ""
    let digits = Array(text.utf8)
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
    }
  }
}
