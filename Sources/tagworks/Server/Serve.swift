import Console
import Foundation

/// `tagworks serve`: the collector, until a signal ends it.
enum Serve: Command {
  static let description = CommandDescription(
    path: "serve",
    summary: "Takes hits over HTTP on /collect, /batch and /v1/hits, and stores each once before it answers.",
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
        name: "--retention", value: "DAYS", help: "how long hits are kept; TAGWORKS_RETENTION", defaultText: "for ever"),
      .init(name: "--dedupe", value: "DAYS", help: "how long ids are known; TAGWORKS_DEDUPE", defaultText: "45"),
      .init(
        name: "--addresses", value: "POLICY",
        help: "how much of a client's address is kept: full, masked or none; TAGWORKS_ADDRESSES",
        defaultText: "masked"),
      .init(
        name: "--origin", value: "ORIGIN",
        help: "lets only pages of this origin call the collector; TAGWORKS_ORIGIN, several between commas",
        defaultText: "all", isRepeatable: true),
    ],
    exits: [(.success, "stopped by SIGTERM or SIGINT"), (.unavailable, "cannot listen, or the store failed")],
    example: "tagworks serve --port 0 --data ./data")

  static func run(_ arguments: Arguments) async throws -> ExitStatus {
    let settings: ServeSettings
    do {
      settings = try ServeSettings(
        host: arguments.value("--host"), port: arguments.value("--port"), data: arguments.value("--data"),
        properties: arguments.all("--property"), requiresKey: arguments.has("--require-key"),
        retention: arguments.value("--retention"), dedupe: arguments.value("--dedupe"),
        addresses: arguments.value("--addresses"), origins: arguments.all("--origin"),
        environment: ProcessInfo.processInfo.environment)
    } catch {
      throw UsageError(error.message)
    }
    let signals = StopSignals()
    do throws(ConsoleError) {
      let server = try ConsoleServer(settings) { Output.log($0) }
      Output.line("Tagworks takes hits on \(server.url), data in \(settings.data)")
      var received = signals.received.makeAsyncIterator()
      _ = await received.next()
      Task.detached {
        var again = signals.received.makeAsyncIterator()
        _ = await again.next()
        exit(ExitStatus.success.rawValue)
      }
      try await server.stop()
      Output.message("stopped; everything acknowledged is stored")
      return .success
    } catch {
      throw CommandFailure(error.message, status: error.code == .invalidSetting ? .wrongUsage : .unavailable)
    }
  }
}
