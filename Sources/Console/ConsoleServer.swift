import Foundation
import Hits

/// The server behind `tagworks serve`: a collector on a data directory (CO-100).
///
/// It serves from the moment it is made until `stop`. What it has acknowledged is on disk, however it ends.
public final class ConsoleServer: Sendable {
  /// The port it listens on.
  public let port: UInt16
  /// Its address for a browser or a client on this machine, such as `http://127.0.0.1:8080`.
  public let url: String
  private let http: HTTPServer
  private let store: IntakeStore
  private let retention: Task<Void, Never>

  /// Opens the data directory, made for its owner alone when missing, and listens.
  ///
  /// - Parameter log: called with one line for each request, on the server's own thread: it must be quick (CO-105).
  public convenience init(
    _ settings: ServeSettings, log: (@Sendable (_ line: String) -> Void)? = nil
  ) throws(ConsoleError) {
    try self.init(settings, limits: ServerLimits(), log: log)
  }

  package init(
    _ settings: ServeSettings, limits: ServerLimits, log: (@Sendable (_ line: String) -> Void)? = nil
  ) throws(ConsoleError) {
    do throws(StorageError) {
      store = try IntakeStore(directory: settings.data, dedupeDays: settings.dedupeDays)
    } catch {
      throw ConsoleError(
        code: .storeUnavailable, message: "cannot use \(settings.data): \(error.message)", cause: error)
    }
    let socket = try ListeningSocket(host: settings.host, port: settings.port)
    let registry = PropertyRegistry(settings.properties, isLoopback: socket.isLoopback)
    let metrics = ServerMetrics()
    let rules = IntakeRules(
      registry: registry, addressPolicy: settings.addresses, longestAgeDays: settings.dedupeDays)
    let collector = Collector(
      rules: rules, storage: store,
      settings: CollectorSettings(requiresKey: settings.requiresKey, dedupeDays: settings.dedupeDays),
      metrics: metrics)
    let routes =
      collector.measurementRoutes(origins: settings.origins.isEmpty ? .any : .only(settings.origins))
      + collector.lineRoutes() + WebTagProfiles(data: settings.data, log: { log?($0) }).routes
      + [.health, .ready(store), .metrics(metrics, collector)]
    let core = ServerCore(router: Router(routes), limits: limits) { record in
      // A path that leads nowhere is the client's own text: it must not grow the metrics.
      metrics.note(route: record.route ?? "other", status: record.status, duration: record.duration)
      log?(record.description)
    }
    http = try HTTPServer(socket: socket, core: core)
    let keeper = Retention(
      days: settings.retentionDays, storage: store, clock: SystemHitClock(), log: { log?($0) })
    retention = Task { await keeper.run() }
    port = http.port
    url = "http://\(settings.host.contains(":") ? "[\(settings.host)]" : settings.host):\(http.port)"
  }

  /// Stops: no new connections, running requests have 10 s to finish, what waits is committed (CO-103).
  ///
  /// - Throws: `storeUnavailable` when something could not be committed; none of it was acknowledged.
  public func stop() async throws(ConsoleError) {
    retention.cancel()
    await http.stop()
    do throws(StorageError) {
      try store.flush()
    } catch {
      throw ConsoleError(code: .storeUnavailable, message: error.message, cause: error)
    }
  }
}
