#if !canImport(Darwin)
  import Foundation
  import Hits
  import TestSupport
  import Testing
  import WebTags
  import WebViewHost

  /// The client and the service of the two pipes, with scripted pages in place of an engine.
  @Suite("A page behind two pipes") struct HelperHostTests {
    private static let program = Program.path(of: "scripted-webhost")
    private static let factory = WebViewHostFactory(helper: program)

    @Test("WT-700 to WT-704, 731: it keeps the promises of the port", arguments: PageHostContract.cases)
    func contract(promise: PageHostContract.Case) async throws {
      let host = Self.factory.make()
      do {
        try await promise.run(on: host)
      } catch {
        await host.close()
        throw error
      }
      await host.close()
    }

    @Test(
      "WT-731: all pages of a factory share one helper; another factory, and what comes after the last page, has its own"
    )
    func oneHelper() async throws {
      let script = try ShellScript("echo >> \"$0.starts\"\nexec '\(Self.program)'")
      func starts() throws -> Int { try String(contentsOfFile: script.path + ".starts", encoding: .utf8).utf8.count }
      let factory = WebViewHostFactory(helper: script.path)
      let hosts = [factory.make(), factory.make()]
      for host in hosts { try await host.open(PageHostContract.options) }
      #expect(try starts() == 1)
      await hosts[0].close()
      try await hosts[1].setCookie(WebCookie(name: "a", value: "b", domain: "page.invalid"))
      #expect(try await hosts[1].cookies(for: nil).map(\.name) == ["a"])
      let stranger = WebViewHostFactory(helper: script.path).make()
      try await stranger.open(PageHostContract.options)
      #expect(try starts() == 2)
      await stranger.close()
      await hosts[1].close()
      let next = factory.make()
      try await next.open(PageHostContract.options)
      #expect(try starts() == 3)
      await next.close()
    }

    @Test("WT-731, 1004: helpers that come and go, or are killed, leave no descriptor open and no directory")
    func leavesNothing() async throws {
      let script = try ShellScript("echo \"$XDG_RUNTIME_DIR\" >> \"$0.places\"\nexec '\(Self.program)'")
      let dying = try ShellScript("echo \"$XDG_RUNTIME_DIR\" >> \"$0.places\"\nkill -9 $$")
      func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
      let before = try descriptors()
      for _ in 0..<60 {
        let host = WebViewHostFactory(helper: script.path).make()
        try await host.open(PageHostContract.options)
        await host.close()
        let lost = WebViewHostFactory(helper: dying.path).make()
        await #expect(throws: PageHostError.self) { try await lost.open(PageHostContract.options) }
        await lost.close()
      }
      // Other tests have descriptors of their own meanwhile, but not so many more.
      #expect(try descriptors() - before < 50)
      for script in [script, dying] {
        let places = try String(contentsOfFile: script.path + ".places", encoding: .utf8).split(separator: "\n")
        #expect(Set(places).count == 60)
        #expect(places.allSatisfy { !FileManager.default.fileExists(atPath: String($0)) })
      }
    }

    @Test("WT-700: of several opens at once one makes the page, and closed meanwhile, none does")
    func opens() async throws {
      for turn in 0..<20 {
        let host = Self.factory.make()
        let opens = (0..<4).map { _ in
          Task { () async -> PageHostError.Code? in
            do throws(PageHostError) {
              try await host.open(PageHostContract.options)
              return nil
            } catch {
              return error.code
            }
          }
        }
        for _ in 0..<turn % 5 { await Task.yield() }
        if turn % 2 == 1 { await host.close() }
        var made = 0
        for open in opens {
          let code = await open.value
          if code == nil { made += 1 }
          #expect([nil, .unavailable, .closed].contains(code))
        }
        #expect(turn % 2 == 0 ? made == 1 : made <= 1)
        await host.close()
        let last = await host.events.reduce(into: []) { $0.append($1.kind) }.last
        #expect(last == .closed)
        await #expect(throws: PageHostError.self) { try await host.open(PageHostContract.options) }
      }
    }
  }
#endif
