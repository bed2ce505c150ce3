import Foundation
import Hits
import Tagworks
import WebTags
import WebViewHost

/// An app in a process of its own, for tests, with a page of a test's server.
///
///     webtags-app FOLDER BASE COUNT     the instance's folder, the URL of its page, how many events are tracked
///
/// It prints `stored` when all of them are kept and waits to be killed. With no events it delivers what an earlier process
/// left, and one more; then it prints `ended` and ends.
@main
enum WebTagsApp {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 4, let base = URL(string: words[2]), let count = Int(words[3]) else { exit(2) }
    var configuration = WebTagsConfiguration(account: "a", profile: "p", environment: "e")
    configuration.pageMode = .bundled(html: page, base: base)
    configuration.network.allowInsecure = true
    configuration.lifecycleAutomatic = false
    configuration.sessionCounting = false
    configuration.storageRoot = URL(fileURLWithPath: words[1], isDirectory: true)
    let manager = try WebTagManager.newInstance(
      forKey: "app", configuration: configuration,
      environment: .live(
        host: WebViewHostFactory(settings: EngineSettings(sandbox: .whenPossible)), device: FixedDevice()))
    let events = (0..<count).map { manager.trackEvent(title: "event", data: ["n": .int(Int64($0))]) }
    for event in events where await !event.stored() { exit(3) }
    say("stored")
    while count > 0 { try await Task.sleep(for: .seconds(3600)) }
    let last = manager.trackEvent(title: "last", data: ["n": "last"])
    guard case .delivered = await last.outcome() else { exit(4) }
    await WebTagManager.destroyInstance(forKey: "app")
    say("ended")
  }

  private static func say(_ word: String) { FileHandle.standardOutput.write(Data((word + "\n").utf8)) }

  private static let page = """
    <script>
    window.utag = {
      handler: { iflag: 1 },
      track(type, data, done) {
        const image = new Image();
        image.onload = image.onerror = () => done();
        image.src = "/pixel?" + data.event_id + "," + data.n;
      },
    };
    </script>
    """
}
