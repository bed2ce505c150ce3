#if !canImport(Darwin)
  import Foundation
  import Hits
  import TestSupport
  import Testing
  import WebTags
  import WebViewHost

  /// The client and the service of the two pipes, with scripted pages in place of an engine.
  @Suite("A page behind two pipes") struct HelperHostTests {
    private static let factory = WebViewHostFactory(
      helper: URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("scripted-webhost").path)

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

    @Test("WT-731: all pages of a factory share one helper; another factory has its own")
    func oneHelper() async throws {
      let hosts = [Self.factory.make(), Self.factory.make()]
      for host in hosts { try await host.open(PageHostContract.options) }
      await hosts[0].close()
      try await hosts[1].setCookie(WebCookie(name: "a", value: "b", domain: "page.invalid"))
      #expect(try await hosts[1].cookies(for: nil).map(\.name) == ["a"])
      await hosts[1].close()
    }
  }
#endif
