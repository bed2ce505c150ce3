import Foundation
import HTTPClient
import Hits
import TestSupport
import Testing

/// What an author does, in a real browser, with a real app beside it (CO-801).
@Suite("An author's way", .serialized) struct AuthorWayTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test("CO-100, CO-203, CO-204, CO-205, CO-400, CO-500, CO-502: from the set-up to a rollback, seen by an app")
  func way() async throws {
    try await AuthorBrowser.run(directory, for: "An author's way") { author in
      let browser = author.browser
      try await author.setUp()
      try await author.makeContainer()
      try await makeEntities(author)
      try await publish(author, version: 1, "One")
      let app = try AppProcess(directory, Shop.settings(author.url))
      #expect(try await app.ask("open")["version"] == "1")

      // Preview: the draft has another greeting, and the live view tells why the tag fires or not.
      try await author.open("/containers/GTM-SHOP/variables/3")
      try await author.fill(["p-collection.0.value": "Buenos dias"])
      try await author.send()
      try await browser.wait(for: ".notice")
      try await author.open("/containers/GTM-SHOP/preview")
      try await author.fill(["app": "org.example.shop"])
      try await author.send()
      try await browser.wait(for: ".qr")
      let link = try await browser.run("return document.getElementById('app-link').value").string ?? ""
      #expect(try await app.ask("preview", ["url": .string(link)])["result"] == "started(GTM-SHOP)")
      _ = try await app.ask("close")
      #expect(try await app.ask("open")["isPreview"] == true)
      _ = try await app.ask("push", ["update": ["event": "openScreen", "screenName": "Home"]])
      try await author.open("/containers/GTM-SHOP/live")
      try await browser.wait(for: ".outcome")
      _ = try await app.ask("push", ["update": ["event": "openScreen", "screenName": "ConfirmationScreen"]])
      try await browser.wait(for: ".outcome .tags .good")
      try await author.expect("\"Home\" equals \"ConfirmationScreen\": no")
      try await author.expect("conversion")

      try await publish(author, version: 2, "Two")
      let exit = "tagmanager.c.org.example.shop://preview/p?id=GTM-SHOP&gtm_preview="
      _ = try await app.ask("preview", ["url": .string(exit)])
      // What an opening does not wait for comes with the refresh, and is what the next one has.
      for request in ["close", "open", "refresh", "close"] { _ = try await app.ask(request) }
      #expect(try await app.ask("open")["version"] == "2")
      try await author.open("/containers/GTM-SHOP/publish?version=1")
      try await author.expect("Roll back to version 1", in: "h1")
      try await author.send()
      try await author.expect("Rolled back.", in: ".notice")
      #expect(try await app.ask("refresh")["outcome"] == "updated(1)")
      try await app.end()

      let binary = try await author.download("/containers/GTM-SHOP/versions/2/download?form=binary")
      let file = directory.file("GTM-SHOP")
      try Data(binary).write(to: URL(fileURLWithPath: file))
      let check = try await Program.run(["container", "check", file, "--json"])
      #expect(check.status == 0, "\(check.errors)")
      #expect(try check.json.first?.map?["form"] == "binary")
      // Nothing that the policy has kept out, and nothing else a browser complains about, but the form errors on the way.
      let complaints = try await browser.complaints().filter { !$0.contains("status of 422") }
      #expect(complaints.isEmpty, "\(complaints)")
    }
  }

  /// A value collection for Spanish devices, a trigger on a screen, a conversion tag; with an error on the way.
  private func makeEntities(_ author: AuthorBrowser) async throws {
    let browser = author.browser
    let shop = "/containers/GTM-SHOP"
    try await author.open(shop + "/variables/new?type=l")
    try await author.fill(["name": "language"])
    try await author.send()
    try await author.open(shop + "/variables/new?type=v")
    try await author.fill(["name": "screen name", "p-name": "screenName"])
    try await author.send()
    try await author.open(shop + "/triggers/new")
    try await author.fill(["name": "Spanish", "conditions.0.right": "es"])
    // A reference completes as it is typed.
    try await browser.type("{{lang", into: "[name='conditions.0.left']")
    try await browser.press("\u{E015}", "\u{E007}")
    #expect(
      try await browser.run("return document.querySelector(\"[name='conditions.0.left']\").value") == "{{language}}")
    try await browser.choose("ALWAYS", in: "[name=event]")
    try await author.send()
    try await browser.wait(for: ".notice")
    try await author.open(shop + "/variables/new?type=vc")
    try await author.fill([
      "name": "Spanish values", "p-collection.0.key": "greeting", "p-collection.0.value": "Hola",
      "enabling.0.name": "Spanish",
    ])
    try await author.send()
    try await browser.wait(for: ".notice")
    try await author.open(shop + "/triggers/new")
    try await author.fill([
      "name": "Confirmation", "event-name": "openScreen", "conditions.0.left": "{{screen name}}",
      "conditions.0.right": "ConfirmationScreen",
    ])
    try await author.send()
    try await browser.wait(for: ".notice")
    try await author.open(shop + "/tags/new?type=awct")
    try await browser.click("details:last-of-type summary")
    try await author.fill(["name": "conversion", "firing.0.name": "Confirmation", "notes": "kept"])
    try await author.send()
    try await author.expect("Conversion ID is missing.", in: ".problems")
    for (name, text) in ["name": "conversion", "notes": "kept"] {
      #expect(try await browser.run("return document.querySelector('[name=\(name)]').value") == .string(text))
    }
    #expect(try await browser.run("return document.activeElement.className") == "problems")
    try await author.fill(["p-conversionId": "123456"])
    try await author.send()
    try await author.expect("Saved.", in: ".notice")
  }

  private func publish(_ author: AuthorBrowser, version: Int, _ name: String) async throws {
    try await author.open("/containers/GTM-SHOP/changes")
    try await author.fill(["name": name])
    try await author.send()
    try await author.expect("The version is made.", in: ".notice")
    try await author.leave(by: ".heading .button")
    try await author.send()
    try await author.expect("Published.", in: ".notice")
  }

  @Test("CO-201: an export of another tool is looked at, imported, and exported as the same JSON values")
  func exchange() async throws {
    guard let corpus = Corpus.find(for: "An author's way") else { return }
    try await AuthorBrowser.run(directory, for: "An author's way") { author in
      try await author.setUp()
      try await author.makeContainer()
      let name = try #require(try corpus.files(in: "containers/export_mobile").first)
      let path = corpus.root.appendingPathComponent("containers/export_mobile/\(name)").path
      try await author.importFile(path)
      let exported = try Value(json: try await author.download("/containers/GTM-SHOP/exchange/export"))
      let original = try Value(json: Array(try corpus.data("containers/export_mobile/\(name)")))
      for list in ["tag", "trigger", "variable"] {
        let (ours, theirs) = (Self.entities(list, exported), Self.entities(list, original))
        #expect(ours == theirs && !theirs.isEmpty, "\(list)")
      }
    }
  }

  /// The entities of an export without what belongs to the container they are in.
  private static func entities(_ list: String, _ export: Value) -> [[String: Value]] {
    (export.map?["containerVersion"]?.map?[list]?.list ?? []).compactMap(\.map).map { fields in
      fields.filter { !["accountId", "containerId"].contains($0.key) }
    }
  }

  @Test("CO-800: with the keyboard alone: to the content, through the form, and saved")
  func keyboard() async throws {
    try await AuthorBrowser.run(directory, for: "An author's way") { author in
      let browser = author.browser
      try await author.setUp()
      try await author.makeContainer()
      try await author.open("/containers/GTM-SHOP/folders/new")
      let (tab, enter) = ("\u{E004}", "\u{E007}")
      try await browser.press(tab)
      #expect(try await browser.run("return document.activeElement.className") == "skip")
      try await browser.press(enter, tab)
      #expect(try await browser.run("return document.activeElement.name") == "name")
      try await browser.press("S", "h", "o", "p", enter)
      try await author.expect("Saved.", in: ".notice")
    }
  }
}
