import Foundation
import Hits
import TestSupport
import Testing
import WebTags
import WebViewHost

/// An instance on the real engine, with a loopback server that is the delivery network and the vendors.
final class LiveInstance: Sendable {
  let key = UUID().uuidString
  let server: LoopbackServer
  let storage: MemoryWebTagsStorage
  let factory: WebViewHostFactory
  let directory: TemporaryDirectory
  private let states: Locked<[PageState]>
  private let changes = Changes()
  /// Whether the page and its settings can no longer be fetched.
  let isOffline = Locked(false)
  private let transport: ScriptedTransport

  init(
    factory: WebViewHostFactory = RealEngine.factory, script: String = LiveInstance.universalTag,
    storage: MemoryWebTagsStorage = MemoryWebTagsStorage(), directory: TemporaryDirectory? = nil
  ) throws {
    self.factory = factory
    self.storage = storage
    self.directory = try directory ?? TemporaryDirectory()
    states = Locked([])
    let server = try LoopbackServer { request in
      let isScript = request.target.hasSuffix(".js")
      return .response(
        status: 200, headers: ["Content-Type": isScript ? "text/javascript" : "image/gif"],
        body: isScript ? Array(script.utf8) : Self.pixel)
    }
    self.server = server
    let isOffline = isOffline
    transport = ScriptedTransport { _ in
      if isOffline.withLock({ $0 }) {
        return .failure(TransportError(phase: .notSent, code: .refused, message: "offline"))
      }
      let page =
        "<html><head><script>var utag_cfg_ovrd={noview:true};var mps={\"5\":{}}</script></head><body>"
        + "<script src=\"\(server.url("/utag.js"))\"></script></body></html>"
      return .response(
        HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: Array(page.utf8)))
    }
  }

  func open(_ change: (inout WebTagsConfiguration) -> Void = { _ in }) throws -> WebTagManager {
    var configuration = WebTagsConfiguration(account: "A", profile: "P", environment: "E")
    configuration.deliveryBase = try #require(URL(string: server.url("/utag")))
    configuration.network.allowInsecure = true
    configuration.lifecycleAutomatic = false
    configuration.sessionCounting = false
    configuration.storageRoot = directory.url
    configuration.flushRate = 10_000
    change(&configuration)
    let environment = WebTagsEnvironment(
      host: factory, transport: transport, storage: storage, connectivity: ScriptedConnectivity(),
      device: FixedDevice(osVersion: "12", model: "box"))
    let manager = try WebTagManager.newInstance(forKey: key, configuration: configuration, environment: environment)
    let (states, changes, updates) = (states, changes, manager.stateUpdates())
    Task {
      for await state in updates {
        states.withLock { $0.append(state) }
        changes.note()
      }
    }
    return manager
  }

  /// Waits until the page has been in a state.
  func wait(for what: String, _ isIt: (PageState) -> Bool) async throws {
    try await changes.wait(for: what) { states.withLock { $0.contains(where: isIt) } }
  }

  func close() async { await WebTagManager.destroyInstance(forKey: key) }

  /// The query values with which a vendor's path was asked, in the order of their coming.
  func asked(_ path: String) -> [String] {
    server.requests.filter { $0.target.hasPrefix(path + "?") }.map { String($0.target.dropFirst(path.count + 1)) }
  }

  /// A universal tag for tests: each event does all that a vendor's tag may do, and then says so.
  static let universalTag = """
    (function () {
      let commands = 0;
      window.utag = {
        handler: {iflag: 0}, mobile: {remote_api: {response: {}}},
        track(type, data, done) {
          const n = data.n;
          if (data.loops) { while (true) {} }
          document.cookie = "last=" + n + "; Max-Age=1000";
          localStorage.setItem("last", n);
          fetch("/fetch?" + n, {method: "POST", body: JSON.stringify(data)});
          navigator.sendBeacon("/beacon?" + n, "x");
          if (data.command) { __tagworks.command("note", {n: n, order: ++commands}); }
          const image = new Image();
          image.onload = image.onerror = () => done();
          image.src = "/pixel?" + n;
        },
      };
      setTimeout(() => { utag.handler.iflag = 1; }, 20);
    })();
    """

  private static let pixel: [UInt8] = [
    0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x21, 0xF9, 4, 1, 0, 0, 0, 0,
    0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B,
  ]
}
