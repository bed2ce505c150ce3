import DurableStore
import Foundation
import Hits

/// The server behind `tagworks serve`: a collector, the authors' API and the delivery of containers to apps, on a data
/// directory (CO-100).
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
  private let workspaces: SQLiteWorkspaceStore
  private let delivery: Task<Void, Never>
  private let watching: Task<Void, Never>
  private let context: APIContext
  // Held for as long as the server lives: nothing is restored under its feet.
  private let lock: FileLock

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
    lock = try Self.lock(settings.data)
    do throws(StorageError) {
      store = try IntakeStore(directory: settings.data, dedupeDays: settings.dedupeDays)
    } catch {
      throw ConsoleError(
        code: .storeUnavailable, message: "cannot use \(settings.data): \(error.message)", cause: error)
    }
    let database = settings.database ?? settings.data + "/" + WorkspaceSchema.fileName
    do throws(WorkspaceStoreError) { workspaces = try SQLiteWorkspaceStore(path: database) } catch {
      throw ConsoleError(code: .storeUnavailable, message: "cannot use \(database): \(error.message)", cause: error)
    }
    var keys: [SigningKey] = []
    for file in settings.signingKeys { keys.append(try SigningKey(file: file)) }
    let site = settings.site.map(StaticSite.init(directory:))
    try site?.prepare()
    let format = settings.logFormat
    let catalogue = DeliveryCatalogue()
    let refresh = CatalogueRefresh(
      store: workspaces, catalogue: catalogue, site: site, keys: keys,
      clock: SystemHitClock(), log: { log?(format.line($0)) })
    let fetches = FetchTally()
    let delivered = DeliveryRoutes(catalogue, fetches: fetches)
    let socket = try ListeningSocket(host: settings.host, port: settings.port)
    let registry = PropertyRegistry(settings.properties, isLoopback: socket.isLoopback)
    url = "http://\(settings.host.contains(":") ? "[\(settings.host)]" : settings.host):\(socket.port)"
    let metrics = ServerMetrics()
    let rules = IntakeRules(
      registry: registry, addressPolicy: settings.addresses, longestAgeDays: settings.dedupeDays)
    let collector = Collector(
      rules: rules, storage: store,
      settings: CollectorSettings(requiresKey: settings.requiresKey, dedupeDays: settings.dedupeDays),
      metrics: metrics,
      rates: RateLimiter(perSecond: Double(settings.rate), burst: Double(settings.rate) * 10))
    let publicURL = settings.publicURL ?? url
    context = APIContext(
      store: workspaces, publicURL: publicURL, traces: TraceSessions(), didChangeDelivery: { await refresh.refresh() },
      report: { log?(format.line($0)) })
    let routes =
      collector.measurementRoutes(origins: settings.origins.isEmpty ? .any : .only(settings.origins))
      + collector.lineRoutes() + WebTagProfiles(data: settings.data, log: { log?(format.line($0)) }).routes
      + [.health, .ready(store, workspaces), .metrics(metrics, collector, fetches)]
      + Self.authoringRoutes(context, fetches, keys, isSecure: publicURL.hasPrefix("https://"))
      + delivered.routes(
        PreviewDelivery(store: workspaces, keys: keys, clock: SystemHitClock()), firstLook: { await refresh.refresh() })
    let core = ServerCore(
      router: Router(routes), instantRoutes: delivered.instant, limits: limits, proxies: settings.trustedProxies
    ) { record in
      // A path that leads nowhere is the client's own text: it must not grow the metrics.
      metrics.note(route: record.route ?? "other", status: record.status, nanoseconds: record.nanoseconds)
      log?(format.line(record))
    }
    http = try HTTPServer(socket: socket, core: core)
    let keeper = Retention(
      policy: settings.retention, storage: store, clock: SystemHitClock(), log: { log?(format.line($0)) })
    retention = Task { await keeper.run() }
    delivery = Task { await refresh.run() }
    let watch = context.watch
    watching = Task { await watch.follow(collector.feed) }
    port = http.port
  }

  /// Before anything is opened in the directory.
  private static func lock(_ data: String) throws(ConsoleError) -> FileLock {
    do throws(StoreError) {
      try StoreDirectory.prepare(data)
      guard let lock = try ServerBackup.lock(data: data, shared: true) else {
        throw StoreError(code: .busy, message: "a backup is being restored there")
      }
      return lock
    } catch {
      throw ConsoleError(code: .storeUnavailable, message: "cannot use \(data): \(error.message)", cause: error)
    }
  }

  /// The JSON API, the pages on it, preview links and the intake of their traces.
  private static func authoringRoutes(
    _ context: APIContext, _ fetches: FetchTally, _ keys: [SigningKey], isSecure: Bool
  ) -> [Route] {
    let api = ConsoleAPI(context)
    let site = PageSite(
      api: api, signIn: SignIn(store: context.store, passwords: context.passwords, clock: context.clock),
      fetches: fetches, isSecure: isSecure,
      keys: keys.map { PageSite.PublishedKey(id: $0.id, publicKey: $0.publicKey) })
    let intake = TraceIntake(store: context.store, sessions: context.traces, clock: context.clock)
    return api.routes + [.previewLink, intake.route] + site.routes
  }

  /// The address of the page that sets the server up with a one-time token.
  public func setupLink(_ token: String) -> String { context.publicURL + PageAddress.setup.asking("token", token).text }

  /// Makes the one-time token by which the first administrator is made (CO-100); nil once there is one.
  ///
  /// A token that was made earlier works no more: only its digest is stored, and nothing could show it again.
  public func offerSetup() async throws(ConsoleError) -> String? {
    let secret = Secret(.setup, from: SystemRandomSource())
    do throws(WorkspaceStoreError) {
      return try await workspaces.offerSetup(secret.digest) ? secret.text : nil
    } catch {
      throw ConsoleError(code: .storeUnavailable, message: error.message, cause: error)
    }
  }

  /// Stops: no new connections, running requests have 10 s to finish, what waits is committed (CO-103).
  ///
  /// - Throws: `storeUnavailable` when something could not be committed; none of it was acknowledged.
  public func stop() async throws(ConsoleError) {
    retention.cancel()
    delivery.cancel()
    watching.cancel()
    // Browsers that wait for events would keep the server from stopping.
    context.traces.changes.close()
    context.watch.changes.close()
    await http.stop()
    defer { lock.release() }
    var failure: ConsoleError?
    // Both are tried: what one of them cannot commit is no reason to leave the other's.
    do throws(StorageError) { try store.flush() } catch {
      failure = ConsoleError(code: .storeUnavailable, message: error.message, cause: error)
    }
    do throws(WorkspaceStoreError) { try workspaces.flush() } catch {
      failure = failure ?? ConsoleError(code: .storeUnavailable, message: error.message, cause: error)
    }
    if let failure { throw failure }
  }
}
