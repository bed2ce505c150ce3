import Foundation
import TestSupport
import Testing
import WebKitGTKHost
import WebTags
import WebViewHost

@Suite("WebKitGTK: the port's contract", RealEngine.condition) struct ContractTests {
  @Test("WT-700 to WT-704: in the helper every promise of the port is kept")
  func helper() async {
    await run { RealEngine.factory.make() }
  }

  @Test("WT-732: in the app's process every promise of the port is kept")
  func inProcess() async {
    let factory = WebKitGTKHostFactory(settings: EngineSettings(sandbox: .whenPossible), place: .ownThread)
    await run { factory.make() }
  }

  @Test("WT-145: only on the app's own context pages can share the session of its views")
  func appSession() {
    #expect(WebKitGTKHostFactory(place: .applicationContext).sharesAppSession)
    #expect(!WebKitGTKHostFactory().sharesAppSession)
  }

  /// Runs the promises, each on a page of its own, three side by side: some wait for a time limit.
  private func run(on make: @escaping @Sendable () -> any PageHost) async {
    await withTaskGroup { group in
      for lane in 0..<3 {
        group.addTask {
          for (number, promise) in PageHostContract.cases.enumerated() where number % 3 == lane {
            let host = make()
            do { try await promise.run(on: host) } catch { Issue.record("\(promise): \(error)") }
            await host.close()
          }
        }
      }
    }
  }
}
