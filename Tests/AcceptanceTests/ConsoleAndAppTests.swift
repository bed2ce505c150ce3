import Console
import Foundation
import HTTPClient
import Hits
import TestSupport
import Testing

/// A console and an app, each in a process of its own, over loopback.
@Suite("Console and app") struct ConsoleAndAppTests {
  let directory: TemporaryDirectory
  var data: String { directory.file("console") }

  init() throws { directory = try TemporaryDirectory() }

  @Test("CO-600, CO-602, TM-406: open cold, 304, saved, a publish, a rollback, offline, and back")
  func life() async throws {
    let port = try LoopbackSocket.freePort()
    let keyFile = directory.file("key.pem")
    let key = try SigningKey.make(file: keyFile)
    let signed = ["--signing-key", keyFile]
    let console = try await TestConsole.start(data, port: port, arguments: signed)
    try await console.publish("Hello")
    let settings = Shop.settings(console.url, key: key)

    let cold = try AppProcess(directory, settings)
    let opened = try await cold.ask("open")
    #expect(opened["endedBy"] == "network")
    #expect(opened["version"] == "1")
    #expect(try await cold.value("greeting") == "Hello")
    let outcome = try await cold.ask("push", ["update": ["event": "openScreen", "screenName": "Home"]])
    #expect(Shop.fired(outcome).contains("screen view"))
    #expect(try await cold.ask("refresh")["outcome"] == "notChanged")
    try await cold.end()

    let warm = try AppProcess(directory, settings)
    #expect(try await warm.ask("open")["endedBy"] == "saved")
    try await console.publish("Good day")
    #expect(try await warm.ask("refresh")["outcome"] == "updated(2)")
    #expect(try await warm.value("greeting") == "Good day")
    try await warm.end()

    try await console.api("POST", "/containers/GTM-SHOP/environments/live/rollback", [:])
    let rolledBack = try AppProcess(directory, settings)
    #expect(try await rolledBack.ask("open")["version"] == "2")
    #expect(try await rolledBack.ask("refresh")["outcome"] == "updated(1)")
    #expect(try await rolledBack.value("greeting") == "Hello")
    try await rolledBack.end()

    console.stop()
    let offline = try AppProcess(directory, settings)
    #expect(try await offline.ask("open", ["prefer": "nonDefault"])["endedBy"] == "saved")
    #expect(try await offline.ask("refresh")["outcome"] == "failed(networkError(connection))")
    #expect(try await offline.value("greeting") == "Hello")
    let again = try console.restarted(data, port: port, arguments: signed)
    _ = try await offline.ask("close")
    _ = try await offline.ask("open")
    #expect(try await offline.ask("refresh")["outcome"] == "notChanged")
    try await offline.end()
    again.stop()
  }

  @Test("TM-441, TM-430: a signature by another key, a web container and an unknown id are refused with their reasons")
  func refused() async throws {
    let (keyFile, other) = (directory.file("key.pem"), directory.file("other.pem"))
    _ = try SigningKey.make(file: keyFile)
    let console = try await TestConsole.start(data, arguments: ["--signing-key", keyFile])
    try await console.publish("Hello")
    try await console.api("POST", "/containers", ["id": "GTM-WEB", "name": "Site", "kind": "web"])
    var rows: [(settings: [String: Value], outcome: Value, text: String)] = [
      (
        Shop.settings(console.url, key: try SigningKey.make(file: other)), "failed(serverError(signature))",
        "No known key has signed."
      )
    ]
    for (id, outcome, text) in [
      ("GTM-WEB", "failed(serverError(forbidden))", "Container GTM-WEB is for the web, not for apps."),
      ("GTM-NONE", "failed(serverError(notFound))", "No container GTM-NONE on 127.0.0.1. Check the container id."),
    ] {
      rows.append(
        (Shop.settings(console.url).merging(["id": .string(id)]) { $1 }, .string(outcome), text))
    }
    for (settings, outcome, text) in rows {
      let place = try TemporaryDirectory()
      let app = try AppProcess(place, settings)
      let opened = try await app.ask("open")
      #expect(opened["endedBy"]?.string?.hasPrefix("failure") == true)
      #expect(opened["isDefault"] == true)
      #expect(try await app.ask("refresh")["outcome"] == outcome)
      try await app.end()
      #expect(app.log.contains(text), "\(app.log)")
      #expect(!FileManager.default.fileExists(atPath: place.file("data/containers/GTM-SHOP.twc")))
    }
    console.stop()
  }

  @Test("CO-602: what one node publishes another on the same database serves within 5 s")
  func twoNodes() async throws {
    let database = ["--database", "sqlite:" + directory.file("shared.sqlite3")]
    let first = try await TestConsole.start(directory.file("one"), arguments: database)
    let second = try RunningServer(data: directory.file("two"), arguments: database)
    try await first.publish("Hello")
    let begin = ContinuousClock.now
    var served: Int64 = 0
    for sequence in 1...2 as ClosedRange<Int64> {
      if sequence == 2 { try await first.publish("Good day") }
      #expect(try await first.container().headers["Tagworks-Sequence"] == String(sequence))
      // The answers themselves are what is waited for.
      while served < sequence, ContinuousClock.now < begin + .seconds(30) {
        let answer = try await PlatformTransport().send(HTTPRequest(url: "\(second.url)/v1/containers/GTM-SHOP"))
        served = answer.headers["Tagworks-Sequence"].flatMap { Int64($0) } ?? 0
      }
      #expect(served == sequence)
    }
    #expect(second.stop() == 0)
    first.stop()
  }

  @Test("CO-400, TM-420: an environment is for whoever has its token")
  func environments() async throws {
    let console = try await TestConsole.start(data)
    try await console.publish("Hello")
    let staging = try await console.api("POST", "/containers/GTM-SHOP/environments", ["name": "staging"])
    let token = try #require(staging["token"])
    try await console.publish("Staged", ["--environment", "staging"])
    for (token, title) in [(token, "Staged"), ("guess", "")] {
      let place = try TemporaryDirectory()
      let app = try AppProcess(
        place, Shop.settings(console.url).merging(["environment": "staging", "token": token]) { $1 })
      let opened = try await app.ask("open")
      #expect(opened["endedBy"]?.string?.hasPrefix(title.isEmpty ? "failure" : "network") == true)
      #expect(try await app.value("greeting") == title)
      try await app.end()
    }
    let live = try AppProcess(directory, Shop.settings(console.url))
    _ = try await live.ask("open")
    #expect(try await live.value("greeting") == "Hello")
    try await live.end()
    console.stop()
  }

  @Test("CO-404, G8: a share of 0 keeps every install on the version before, and 100 brings the new one to all")
  func rollout() async throws {
    let console = try await TestConsole.start(data)
    try await console.publish("Hello")
    for (percent, version, title) in [("0", "1", "Hello"), ("100", "2", "Good day")] {
      try await console.publish("Good day", ["--percent", percent])
      let answer = try await console.container()
      for install in ["a", "b"] {
        let place = try TemporaryDirectory()
        let app = try AppProcess(place, Shop.settings(console.url).merging(["install": .string(install)]) { $1 })
        #expect(try await app.ask("open")["version"] == .string(version))
        #expect(try await app.value("greeting") == title)
        try await app.end()
      }
      #expect(try await console.container().body == answer.body)
    }
    console.stop()
  }

  @Test(
    "S4, G2, G3, CO-500, CO-501: a link shows the draft until it ends; nothing of it is kept, and no log has its token")
  func preview() async throws {
    let console = try await TestConsole.start(data)
    try await console.publish("Hello")
    let file = try directory.write(try Shop.export("Draft"), to: "draft.json")
    #expect(try await console.run(["container", "push", file]).status == 0)
    let made = try await console.api("POST", "/containers/GTM-SHOP/previews", ["app": "org.example.shop"])
    let link = try #require(made["appLink"]?.string)
    let token = try #require(made["token"]?.string)
    let web = try await PlatformTransport().send(HTTPRequest(url: try #require(made["link"]?.string)))
    #expect(web.status == 302)
    #expect(web.headers["Location"] == link)

    let app = try AppProcess(directory, Shop.settings(console.url))
    #expect(try await app.ask("preview", ["url": .string(link)])["result"] == "started(GTM-SHOP)")
    let opened = try await app.ask("open")
    #expect(opened["endedBy"] == "preview")
    #expect(opened["isPreview"] == true)
    #expect(try await app.value("greeting") == "Draft")
    #expect(!FileManager.default.fileExists(atPath: directory.file("data/containers/GTM-SHOP.twc")))
    let exit = "tagmanager.c.org.example.shop://preview/p?id=GTM-SHOP&gtm_preview="
    try app.send("preview", ["url": .string(exit)])
    #expect(try await app.answer()["result"] == "ended(GTM-SHOP)")
    try await app.end()
    #expect(!app.log.contains(token), "\(app.log)")

    let relaunched = try AppProcess(directory, Shop.settings(console.url))
    #expect(try await relaunched.ask("open")["endedBy"] == "network")
    #expect(try await relaunched.value("greeting") == "Hello")
    try await relaunched.end()

    let answer = try await console.container("GTM-SHOP?gtm_auth=\(token)&gtm_preview=0")
    #expect(answer.headers["Cache-Control"] == "no-store")
    #expect(answer.headers["ETag"] != nil)
    for query in [
      "gtm_auth=\(token)&gtm_preview=1", "gtm_auth=\(token)x&gtm_preview=0", "gtm_auth=\(token)", "gtm_preview=0",
    ] {
      let refused = try await console.container("GTM-SHOP?" + query)
      #expect(refused.status == 403)
      #expect(String(decoding: refused.body, as: UTF8.self).contains("does not let you in"))
    }
    let id = try #require(made["id"]?.string)
    try await console.api("DELETE", "/containers/GTM-SHOP/previews/\(id)")
    #expect(try await console.container("GTM-SHOP?gtm_auth=\(token)&gtm_preview=0").status == 403)
    console.stop()
  }

  @Test("D7: an event from before the container is evaluated once, on what was published, with the data of its time")
  func earlyEvent() async throws {
    let console = try await TestConsole.start(data)
    try await console.publish("Hello")
    let app = try AppProcess(directory, Shop.settings(console.url))
    let opened = try await app.ask("open", ["early": ["event": "openScreen", "screenName": "Home"]])
    #expect(opened["endedBy"] == "network")
    let fired = Shop.fired(opened["early"]?.map ?? [:])
    #expect(fired.filter { $0 == "screen view" }.count == 1)
    try await app.end()
    console.stop()
  }
}
