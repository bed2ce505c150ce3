import Foundation
import HTTPClient
import Hits
import TestSupport
import Testing

/// Every page in a real browser: pictures in light, in dark and on a narrow screen, and the rules of accessibility.
@Suite("Pictures of the pages", .serialized) struct PictureTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let shop = "/containers/GTM-SHOP"

  /// The pages by the name of their pictures.
  private static let pages: [(name: String, path: String)] =
    [
      ("containers", "/containers"), ("container-new", "/containers-new"), ("hits", "/hits"),
      ("server-activity", "/activity"), ("server-settings", "/settings"), ("user-new", "/settings/users/new"),
      ("account", "/account"), ("missing", "/containers/GTM-NONE"), ("hit", "/hits/1"), ("hit-rejected", "/hits/12"),
    ]
    + [
      ("overview", ""), ("tags", "/tags"), ("tag-types", "/tags/new"), ("tag-new", "/tags/new?type=awct"),
      ("tag", "/tags/104"), ("tag-text", "/tags/104?as=json"), ("triggers", "/triggers"), ("trigger", "/triggers/7"),
      ("variables", "/variables"), ("variable", "/variables/21"), ("collection-new", "/variables/new?type=vc"),
      ("builtins", "/builtInVariables"), ("folders", "/folders"), ("folder-new", "/folders/new"),
      ("templates", "/templates"),
      ("changes", "/changes"), ("versions", "/versions"), ("version", "/versions/1"), ("publish", "/publish?version=1"),
      ("preview", "/preview"), ("live", "/live"), ("exchange", "/exchange"), ("activity", "/activity"),
      ("settings", "/settings"),
    ].map { ($0.0, shop + $0.1) }

  @Test("CO-800, CO-803: no page overflows from 360 to 1920 points in light and dark, and axe finds nothing serious")
  func pictures() async throws {
    try await AuthorBrowser.run(directory, for: "Pictures of the pages") { author in
      let rules = try ProjectScript.output(of: "axe").map { try String(contentsOfFile: $0, encoding: .utf8) }
      let browser = author.browser
      try await author.open("/sign-in")
      try await look(author, "sign-in", rules)
      try await author.open("/setup?token=of-the-link")
      try await look(author, "set-up", rules)
      try await author.setUp()
      try await author.makeContainer()
      try await author.open(Self.shop)
      try await look(author, "overview-empty", rules)
      try await author.importFile(Shop.workspace.path)
      try await author.open(Self.shop + "/changes")
      try await author.fill(["name": "First", "notes": "All of the shop."])
      try await author.send()
      try await author.leave(by: ".heading .button")
      try await author.send()
      try await author.open(Self.shop + "/variables/14")
      try await author.fill(["p-value": "Good day"])
      try await author.send()
      try await hits(author)
      let app = try await preview(author)
      for (name, path) in Self.pages {
        try await author.open(path)
        try await look(author, name, rules)
      }
      for (name, from, link) in [
        ("replay", Self.shop + "/live", "a[href*='/replay']"), ("user", "/settings", "tbody a[href*='/users/']"),
      ] {
        try await author.open(from)
        try await author.leave(by: link)
        try await browser.wait(for: "main h1")
        try await look(author, name, rules)
      }
      // What is folded is opened.
      for (name, path) in [("live-open", "/live"), ("preview-revoke", "/preview"), ("settings-open", "/settings")] {
        try await author.open(Self.shop + path)
        try await browser.run("for (const part of document.querySelectorAll('main details')) part.open = true")
        try await look(author, name, rules)
      }
      try await app.end()
    }
  }

  /// Some hits, one of them refused.
  private func hits(_ author: AuthorBrowser) async throws {
    for number in 1...12 {
      let fields = number == 12 ? "t=event&ec=Shop" : "t=event&ec=Shop&ea=view&el=item \(number)"
      _ = try await PlatformTransport().send(
        HTTPRequest(method: "POST", url: author.url + "/collect", body: Array("v=1&tid=UA-1-1&cid=c&\(fields)".utf8)))
    }
  }

  /// An app in preview that has pushed some events; its link is on the page.
  private func preview(_ author: AuthorBrowser) async throws -> AppProcess {
    let browser = author.browser
    try await author.open(Self.shop + "/preview")
    try await author.fill(["app": "org.example.shop"])
    try await author.send()
    try await browser.wait(for: ".qr")
    let link = try await browser.run("return document.getElementById('app-link').value").string ?? ""
    try await look(author, "preview-link", nil)
    let app = try AppProcess(directory, Shop.settings(author.url))
    _ = try await app.ask("preview", ["url": .string(link)])
    _ = try await app.ask("open")
    for update: Value in [
      ["event": "openScreen", "screenName": "Home"], ["event": "purchase", "order": ["id": "A-1", "total": 12]],
      ["event": "purchase", "order": ["id": "A-2", "total": 0]],
    ] {
      _ = try await app.ask("push", ["update": update])
    }
    try await author.open(Self.shop + "/live")
    try await browser.wait(for: ".outcome")
    return app
  }

  private static let colorful: Set = ["sign-in", "overview", "changes", "live", "hits", "tag", "server-settings"]
  private static let views = [
    ("light", 1280, "light"), ("dark", 1280, "dark"), ("narrow", 360, "light"), ("wide", 1920, "light"),
  ]

  /// Looks at a page for what does not fit and for what the rules say, and takes its picture.
  ///
  /// Where pictures are kept all views are taken, and all rules are looked at in each of them; else what tells something
  /// new: all rules in light, and in dark the contrast of pages that between them have every colour.
  private func look(_ author: AuthorBrowser, _ name: String, _ rules: String?) async throws {
    let browser = author.browser
    for (view, width, colors) in Self.views {
      try await browser.setColors(colors)
      try await browser.setSize(width: width, height: 900)
      let sizes = try await browser.run(
        "const d = document.documentElement; return [d.scrollWidth, d.clientWidth, Math.min(d.scrollHeight, 4000)]")
      let numbers: [Int] = (sizes.list ?? []).compactMap { if case .int(let number) = $0 { Int(number) } else { nil } }
      try #require(numbers.count == 3)
      #expect(numbers[0] <= numbers[1], "\(name) is \(numbers[0]) wide at \(width)")
      guard view != "wide" else { continue }
      if Picture.folder != nil || view == "light" {
        try await browser.setSize(width: width, height: max(900, numbers[2]))
        try Picture.write(try await browser.screenshot(), name: "\(name)-\(view)")
        if let rules { try await check(browser, rules, "{}", "\(name), \(view)") }
      } else if Self.colorful.contains(name), view == "dark", let rules {
        try await check(browser, rules, "{runOnly: ['color-contrast']}", "\(name), \(view)")
      }
    }
    try await browser.setColors("light")
    try await browser.setSize(width: 1280, height: 900)
  }

  private func check(_ browser: WebBrowser, _ rules: String, _ options: String, _ page: String) async throws {
    try await browser.run("if (!window.axe) { (0, eval)(arguments[0]); }", [.string(rules)])
    let found = try await browser.runAsync(
      """
      const done = arguments[arguments.length - 1];
      const part = n => n.target.join(' ') + ' ' + n.any.map(a => a.message).join('; ');
      axe.run(document, Object.assign({resultTypes: ['violations']}, \(options))).then(
        r => done(r.violations.map(v => [v.impact, v.id, v.nodes.slice(0, 3).map(part).join(' | ')].join(': '))),
        e => done(['failed: ' + e]));
      """)
    let violations = found.list?.compactMap(\.string) ?? ["no answer"]
    #expect(violations.isEmpty, "\(page): \(violations.joined(separator: "\n"))")
  }
}

/// A picture of a page.
enum Picture {
  /// Where pictures are kept: the folder that `TAGWORKS_SCREENSHOTS` names, else nowhere.
  static let folder = ProcessInfo.processInfo.environment["TAGWORKS_SCREENSHOTS"]

  static func write(_ base64: String, name: String) throws {
    let data = try #require(Data(base64Encoded: base64))
    #expect(data.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    guard let folder else { return }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try data.write(to: URL(fileURLWithPath: folder).appendingPathComponent(name + ".png"))
  }
}
