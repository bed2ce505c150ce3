import Console
import Hits

/// A vendor on loopback: it counts its pixels, and its script commands the app.
final class DemoVendor: Sendable {
  /// Something that happened because of an event.
  enum Occurrence {
    case pixel
    case script
    case thanks(order: String)
  }

  /// What happened so far.
  struct Seen: Sendable {
    var pixels = 0
    var scripts = 0
    var thanks: [String] = []
  }

  let url: String
  private let server: HTTPServer
  private let log: Log

  init() throws {
    let log = Log()
    self.log = log
    server = try HTTPServer(
      host: "127.0.0.1", port: 0,
      routes: [
        .reading("/pixel") { _ in
          log.note(.pixel)
          return ServerResponse(status: 204)
        },
        .reading("/thanks.js") { _ in
          log.note(.script)
          var response = ServerResponse(status: 200, body: Array(Self.script.utf8))
          response.headers["Content-Type"] = "text/javascript"
          return response
        },
      ])
    url = "http://127.0.0.1:\(server.port)"
  }

  var seen: Seen { log.seen.withLock { $0 } }

  func note(_ occurrence: Occurrence) { log.note(occurrence) }

  /// Waits until enough has happened, ten seconds at the most.
  func wait(_ isEnough: @escaping @Sendable (Seen) -> Bool) async {
    let log = log
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await _ in log.happenings where isEnough(log.seen.withLock { $0 }) { return }
      }
      group.addTask {
        try? await Task.sleep(for: .seconds(10))  // ends early only when enough has happened
      }
      await group.next()
      group.cancelAll()
    }
  }

  func stop() async { await server.stop() }

  private static let script = """
    __tagworks.command("thanks", { order: new URL(document.currentScript.src).searchParams.get("order") });
    """

  private final class Log: Sendable {
    let seen = Locked(Seen())
    let happenings: AsyncStream<Void>
    private let happened: AsyncStream<Void>.Continuation

    init() {
      (happenings, happened) = AsyncStream.makeStream(of: Void.self)
      // Whoever waits looks once at what is there already.
      happened.yield()
    }

    func note(_ occurrence: Occurrence) {
      seen.withLock { seen in
        switch occurrence {
        case .pixel: seen.pixels += 1
        case .script: seen.scripts += 1
        case .thanks(let order): seen.thanks.append(order)
        }
      }
      happened.yield()
    }
  }
}
