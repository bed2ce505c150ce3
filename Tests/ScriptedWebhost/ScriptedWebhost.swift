import Foundation
import TestSupport
import WebTags
import WebViewHost

/// `scripted-webhost`: what `tagworks-webhost` is, with scripted pages in place of an engine, for tests of its client.
@main
enum ScriptedWebhost {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    let service = HelperService(output: 1) { _ in ContractFactory() }
    while service.read(0) {}
    await service.close()
  }
}

private struct ContractFactory: PageHostFactory {
  let sharesAppSession = false

  func make() -> any PageHost { ScriptedPageHost(PageHostContract.script) }
}
