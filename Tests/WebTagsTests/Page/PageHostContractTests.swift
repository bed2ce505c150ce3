import Hits
import TestSupport
import Testing
import WebTags

@Suite struct PageHostContractTests {
  @Test("WT-700 to WT-704: the scripted host keeps the promises of the port", arguments: PageHostContract.cases)
  func scripted(promise: PageHostContract.Case) async throws {
    let host = ScriptedPageHost(PageHostContract.script)
    do {
      try await promise.run(on: host)
      await host.close()
    } catch {
      await host.close()
      throw error
    }
  }
}
