import Foundation
import Hits
import TestSupport
import Testing
import WebTags
import WebViewHost

@Suite("WebKitGTK: processes that end", RealEngine.condition) struct DeathTests {
  private func page(options: PageHostOptions = PageHostOptions()) async throws -> RealPage {
    let page = try await RealPage(
      factory: WebViewHostFactory(settings: EngineSettings(sandbox: .whenPossible)), options: options)
    try await page.load(RealPage.document)
    return page
  }

  private func termination(of page: RealPage) async throws -> TerminationReason {
    try await page.events.first("the end of a process") { $0.termination }
  }

  @Test("WT-702, 1222: a killed content process fails what is under way at once, and the next load lives")
  func content() async throws {
    let before = Set(Processes.named("WebKitWebProcess"))
    let page = try await page()
    let process = try #require(Processes.named("WebKitWebProcess").first { !before.contains($0) })
    let never = Task.immediate { try await page.run("await new Promise(() => {})") }
    #expect(try await page.run("return 1") == 1)
    kill(process.id, SIGKILL)
    let error = await #expect(throws: PageHostError.self) { try await never.value }
    #expect(error?.code == .processTerminated)
    #expect(try await termination(of: page) == .crash)
    let later = await #expect(throws: PageHostError.self) { try await page.run("return 1") }
    #expect(later == .processTerminated(.crash))
    try await page.load(RealPage.document)
    #expect(try await page.run("return 2") == 2)
  }

  @Test("WT-700, 1224: an endless loop is ended by terminate within two seconds, and the next load lives")
  func loop() async throws {
    let page = try await page()
    let loop = Task.immediate { try await page.run("post('in'); while (true) {}") }
    try await page.events.wait("the loop's begin") { $0.message == "in" }
    let ping = Task.immediate { try await page.run("return 'pong'") }
    let start = SuspendingClock.now
    await page.host.terminate()
    // On a machine that is busy the helper itself may be late, and is ended for it.
    let reason = try await termination(of: page)
    #expect(reason == .api || (reason == .helper && start.duration(to: .now) > .milliseconds(1_500)))
    for call in [loop, ping] {
      let error = await #expect(throws: PageHostError.self) { try await call.value }
      #expect(error?.code == .processTerminated)
    }
    try await page.load(RealPage.document)
    #expect(try await page.run("return 2") == 2)
  }

  @Test("WT-700: terminate is answered also where there is no process, and the helper lives on")
  func nothingToEnd() async throws {
    let page = try await RealPage()
    for count in 1...2 {
      await page.host.terminate()
      _ = try await page.events.first("the end of nothing") { _ in
        page.events.seen.filter { $0.termination == .api }.count == count ? true : nil
      }
    }
    try await page.load(RealPage.document)
    #expect(try await page.run("return 1") == 1)
  }

  @Test("WT-704: a page that empties itself is lost, and the next load lives")
  func emptied() async throws {
    let page = try await RealPage()
    try await page.load(RealPage.document)
    _ = try? await page.run("location.href = 'about:blank'; return 0")
    #expect(try await termination(of: page) == .crash)
    try await page.load(RealPage.document)
    #expect(try await page.run("return 2") == 2)
  }

  @Test("WT-706: a page that takes memory without end is ended for it")
  func memory() async throws {
    let page = try await page(options: PageHostOptions(memoryLimit: 150))
    let hungry = Task.immediate {
      try await page.run(
        """
        window.kept = [];
        for (let i = 0; i < 4000; i++) {
          kept.push(new Uint8Array(1 << 20).fill(i));
          if (i % 50 === 0) await new Promise(done => setTimeout(done, 100));
        }
        """)
    }
    #expect(try await termination(of: page) == .memory)
    _ = await hungry.result
    try await page.load(RealPage.document)
    #expect(try await page.run("return 2") == 2)
  }

  @Test("WT-1222: a killed network process ends the page whose requests it had, before its scripts hear of it")
  func network() async throws {
    let before = Set(Processes.named("WebKitNetworkProcess"))
    let page = try await RealPage(factory: WebViewHostFactory(settings: EngineSettings(sandbox: .whenPossible))) {
      $0.target == "/held" ? .hang() : .text("")
    }
    try await page.load(RealPage.document)
    _ = try await page.run("return (await fetch('/one')).status")
    let process = try #require(Processes.named("WebKitNetworkProcess").first { !before.contains($0) })
    let held = Task.immediate {
      try await page.run("await fetch('/held').catch(() => {}); post('heard'); return 0")
    }
    try await page.server.requests(atLeast: 2)
    kill(process.id, SIGKILL)
    #expect(try await termination(of: page) == .crash)
    let error = await #expect(throws: PageHostError.self) { try await held.value }
    #expect(error?.code == .processTerminated)
    try await page.load(RealPage.document)
    #expect(try await page.run("return (await fetch('/two')).status") == 200)
    #expect(!page.events.seen.contains { $0.message == "heard" })
  }

  @Test(
    "WT-1222: after a network process that was killed while nothing was asked for, requests go on, or the page ends")
  func idleNetwork() async throws {
    let before = Set(Processes.named("WebKitNetworkProcess"))
    let page = try await page()
    _ = try await page.run("return (await fetch('/one')).status")
    let process = try #require(Processes.named("WebKitNetworkProcess").first { !before.contains($0) })
    kill(process.id, SIGKILL)
    try await Processes.end(of: [process])
    do {
      // The page may not have heard of it yet: then this goes the way of those that were under way.
      #expect(try await page.run("return (await fetch('/two')).status") == 200)
    } catch let error as PageHostError {
      #expect(error == .processTerminated(.crash))
      try await page.load(RealPage.document)
      #expect(try await page.run("return (await fetch('/two')).status") == 200)
    }
  }

  @Test("WT-731, 1222: a killed helper fails everything, leaves no process behind, and the next host has a new one")
  func helper() async throws {
    let factory = WebViewHostFactory(settings: EngineSettings(sandbox: .whenPossible))
    let before = Set(Processes.all())
    let pages = [try await RealPage(factory: factory), try await RealPage(factory: factory)]
    for page in pages { try await page.load(RealPage.document) }
    let processes = Processes.all().filter { !before.contains($0) }
    let helpers = processes.filter { $0.name == "tagworks-webhos" }
    #expect(helpers.count == 1)
    let never = Task.immediate { try await pages[0].run("await new Promise(() => {})") }
    kill(try #require(helpers.first).id, SIGKILL)
    for page in pages { #expect(try await termination(of: page) == .helper) }
    let outstanding = await #expect(throws: PageHostError.self) { try await never.value }
    #expect(outstanding == .processTerminated(.helper))
    let later = await #expect(throws: PageHostError.self) { try await pages[1].run("return 1") }
    #expect(later == .processTerminated(.helper))
    try await Processes.end(of: processes)
    for page in pages { await page.host.close() }
    let page = try await RealPage(factory: factory)
    try await page.load(RealPage.document)
    #expect(try await page.run("return 1") == 1)
  }

  @Test("WT-731: a helper that has stopped is ended by terminate within two seconds")
  func stoppedHelper() async throws {
    let before = Set(Processes.all())
    let page = try await page()
    let processes = Processes.all().filter { !before.contains($0) }
    kill(try #require(processes.first { $0.name == "tagworks-webhos" }).id, SIGSTOP)
    let start = SuspendingClock.now
    let call = Task.immediate { try await page.run("return 1") }
    await page.host.terminate()
    #expect(try await termination(of: page) == .helper)
    #expect(start.duration(to: .now) >= .milliseconds(1_500))
    let error = await #expect(throws: PageHostError.self) { try await call.value }
    #expect(error?.code == .processTerminated)
    try await Processes.end(of: processes)
  }

  @Test("WT-113, 700, 1004: the helper ends with its last page, and no process is left")
  func lastPage() async throws {
    let factory = WebViewHostFactory(settings: EngineSettings(sandbox: .whenPossible))
    let before = Set(Processes.all())
    let pages = [try await RealPage(factory: factory), try await RealPage(factory: factory)]
    for page in pages { try await page.load(RealPage.document) }
    let processes = Processes.all().filter { !before.contains($0) }
    await pages[0].host.close()
    #expect(try await pages[1].run("return 'the other lives'") == "the other lives")
    await pages[1].host.close()
    try await Processes.end(of: processes)
    let page = try await RealPage(factory: factory)
    try await page.load(RealPage.document)
    #expect(try await page.run("return 1") == 1)
  }

  @Test("WT-731: a helper ends with the app, even one that was killed")
  func appEnds() async throws {
    // A shell is the app: it starts the helper, and the test ends the shell.
    let app = Process()
    let (input, output) = (Pipe(), Pipe())
    app.executableURL = URL(fileURLWithPath: "/bin/sh")
    app.arguments = ["-c", "\"$0\"; :", Program.path(of: "tagworks-webhost")]
    app.standardInput = input
    app.standardOutput = output
    try app.run()
    // Its first message says that it is up.
    _ = try await blocking { output.fileHandleForReading.availableData }
    let helper = try #require(Processes.all().first { $0.parent == app.processIdentifier })
    kill(app.processIdentifier, SIGKILL)
    // The pipe is still open here: it is the parent's death that the helper hears of.
    try await Processes.end(of: [helper])
    try input.fileHandleForWriting.close()
  }
}
