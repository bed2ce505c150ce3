import Console
import Foundation

/// `tagworks serve`: the collector, the authors' pages and API, until a signal ends it.
enum Serve: Command {
  static let description = CommandDescription(
    path: "serve",
    summary:
      "Takes hits over HTTP and stores each once; web pages in which containers are made, published and watched.",
    options: [
      .init(
        name: "--host", value: "ADDRESS", help: "the address to listen on; TAGWORKS_HOST",
        defaultText: ServeSettings.defaults.host),
      .init(
        name: "--port", value: "NUMBER", help: "the port, 0 for a free one; TAGWORKS_PORT",
        defaultText: ServeSettings.defaults.port),
      .init(
        name: "--data", value: "DIR", help: "the data directory, with web tag profiles in webtags/; TAGWORKS_DATA",
        defaultText: ServeSettings.defaults.data),
      .init(
        name: "--property", value: "ID[=KEY]",
        help: "takes hits of this property only; TAGWORKS_PROPERTY, several between commas",
        defaultText: "all, on a loopback address", isRepeatable: true),
      .init(name: "--require-key", help: "/collect and /batch need a write key too; TAGWORKS_REQUIRE_KEY=1"),
      .init(
        name: "--rate", value: "HITS",
        help: "hits a second from one address or key, ten times as many at once; TAGWORKS_RATE", defaultText: "1000"),
      .init(
        name: "--retention", value: "[ID=]DAYS",
        help: "how long hits are kept, all or those of a property; TAGWORKS_RETENTION, several between commas",
        defaultText: "for ever", isRepeatable: true),
      .init(
        name: "--retention-size", value: "[ID=]MB",
        help: "megabytes of hits kept of each property, or of one; TAGWORKS_RETENTION_SIZE, several between commas",
        defaultText: "all", isRepeatable: true),
      .init(name: "--dedupe", value: "DAYS", help: "how long ids are known; TAGWORKS_DEDUPE", defaultText: "45"),
      .init(
        name: "--addresses", value: "POLICY",
        help: "how much of a client's address is kept: full, masked or none; TAGWORKS_ADDRESSES",
        defaultText: "masked"),
      .init(
        name: "--origin", value: "ORIGIN",
        help: "lets only pages of this origin call the collector; TAGWORKS_ORIGIN, several between commas",
        defaultText: "all", isRepeatable: true),
      .init(
        name: "--trusted-proxy", value: "CIDR",
        help: "believes these addresses whose request they bring (X-Forwarded-For); TAGWORKS_TRUSTED_PROXY, several "
          + "between commas",
        defaultText: "none", isRepeatable: true),
      .init(
        name: "--log-format", value: "FORMAT", help: "text or json, on standard error; TAGWORKS_LOG_FORMAT",
        defaultText: "text"),
      .init(
        name: "--database", value: "sqlite:PATH", help: "the file of the console's database; TAGWORKS_DATABASE",
        defaultText: "console.sqlite3 in the data directory"),
      .init(
        name: "--public-url", value: "URL",
        help: "where browsers and apps reach the server, for links; TAGWORKS_PUBLIC_URL",
        defaultText: "where it listens"),
      .init(
        name: "--signing-key", value: "FILE",
        help: "a key that signs containers, see 'tagworks key make'; TAGWORKS_SIGNING_KEY, several between commas",
        defaultText: "none", isRepeatable: true),
      .init(
        name: "--demo",
        help: "makes the sample container, and runs an app that uses it in preview and sends hits; TAGWORKS_DEMO=1"),
      .init(
        name: "--site", value: "DIR",
        help: "writes live containers as plain files too, for any web server; TAGWORKS_SITE", defaultText: "none"),
    ],
    exits: [(.success, "stopped by SIGTERM or SIGINT"), (.unavailable, "cannot listen, or the store failed")],
    example: "tagworks serve --port 0 --data ./data")

  static func run(_ arguments: Arguments) async throws -> ExitStatus {
    let settings: ServeSettings
    do {
      settings = try ServeSettings(flags: arguments.values, environment: ProcessInfo.processInfo.environment)
    } catch {
      throw UsageError(error.message)
    }
    let signals = StopSignals()
    let log = RequestLog()
    defer { log.flush() }
    do throws(ConsoleError) {
      let server = try ConsoleServer(settings) { log.write($0) }
      Output.line("Tagworks takes hits on \(server.url), data in \(settings.data)")
      let demo = settings.isDemo ? try await LiveDemo.begin(on: server, data: settings.data) : nil
      defer { demo?.cancel() }
      if demo == nil, let token = try await server.offerSetup() {
        Output.line("Set it up once, in a browser: \(server.setupLink(token))")
        Output.line(
          "  or from a script, whose answer holds a token for TAGWORKS_TOKEN:\n"
            + "  curl -H 'Content-Type: application/json' -d '{\"name\": \"you\", \"token\": \"\(token)\"}' "
            + "\(server.url)/api/v1/setup")
      }
      var received = signals.received.makeAsyncIterator()
      _ = await received.next()
      Task.detached {
        var again = signals.received.makeAsyncIterator()
        _ = await again.next()
        log.flush()
        exit(ExitStatus.success.rawValue)
      }
      try await server.stop()
      log.flush()
      Output.message("stopped; everything acknowledged is stored")
      return .success
    } catch {
      let isUnusableValue = [ConsoleError.Code.invalidSetting, .signingKey].contains(error.code)
      throw CommandFailure(error.message, status: isUnusableValue ? .wrongUsage : .unavailable)
    }
  }
}
