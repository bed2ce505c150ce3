import Authoring
import GzipFormat
package import Hits
import TagManager

/// Keeps the catalogue true to the store: at once when this process publishes, within a second when another does
/// (CO-602).
///
///     stamp of the store changed ─► what is in force ─► compile what is new ─► replace the catalogue
package actor CatalogueRefresh {
  /// How often the store is asked whether anything has changed.
  package static let period = Duration.seconds(1)

  private let store: any WorkspaceStore
  private let compiler: PublicationCompiler
  private let catalogue: DeliveryCatalogue
  /// Where live containers are written as plain files too (CO-406).
  private let site: StaticSite?
  private let clock: any HitClock
  private let log: @Sendable (String) -> Void
  private var stamp: Int64?
  private var deliveries: [Publication: ContainerDelivery] = [:]
  /// The refresh under way, which the next one waits for: an older reading must not come last.
  private var work: Task<Void, Never>?
  private var hasFailed = false
  private var removed: [ContainerID] = []
  /// Why the site is behind the catalogue; nil when it is not.
  private var siteFailure: String?

  package init(
    store: any WorkspaceStore, catalogue: DeliveryCatalogue, site: StaticSite? = nil, keys: [SigningKey],
    clock: any HitClock, log: @escaping @Sendable (String) -> Void
  ) {
    self.store = store
    self.catalogue = catalogue
    self.site = site
    self.clock = clock
    self.log = log
    compiler = PublicationCompiler(store: store, keys: keys)
  }

  /// Looks for changes until its task is cancelled.
  package func run() async {
    while !Task.isCancelled {
      await refresh()
      // Cancelled: the loop ends.
      try? await clock.sleep(for: Self.period)
    }
  }

  /// Takes up what the store has now; what cannot be read or compiled leaves what is there.
  package func refresh() async {
    let before = work
    let next = Task {
      await before?.value
      await update()
    }
    work = next
    await next.value
  }

  private func update() async {
    do throws(WorkspaceStoreError) {
      let now = try await store.deliveryStamp()
      if now != stamp {
        try await replace()
        stamp = now
        hasFailed = false
      } else if siteFailure == nil {
        return
      }
      mirror()
    } catch {
      // Once, not every second: the catalogue goes on with what it has.
      if !hasFailed { log("delivery: the store does not answer: \(error.message)") }
      hasFailed = true
    }
  }

  private func replace() async throws(WorkspaceStoreError) {
    removed = try await store.removedContainers()
    var made: [Publication: ContainerDelivery] = [:]
    var entries: [ContainerID: DeliveryCatalogue.Entry] = [:]
    let inForce = Dictionary(grouping: try await store.publicationsInForce(), by: \.container)
    for container in try await allContainers() {
      guard container.kind.isApp else {
        entries[container.id] = .other(container.kind)
        continue
      }
      var places: [String: DeliveryCatalogue.Place] = [:]
      for environment in try await store.environments(of: container.id) {
        let publication = inForce[container.id]?.first { $0.environment == environment.name }
        var delivery: ContainerDelivery?
        if let publication {
          delivery = try await self.delivery(of: publication)
          made[publication] = delivery
        }
        places[environment.name] = DeliveryCatalogue.Place(token: environment.digest?.bytes, delivery: delivery)
      }
      entries[container.id] = .app(places)
    }
    catalogue.replace(with: entries)
    deliveries = made
  }

  /// Brings the site up to the catalogue; what fails is tried again with the next look, and told once.
  private func mirror() {
    guard let site else { return }
    let live = deliveries.values.filter { $0.environment == ContainerEnvironment.liveName }
    do throws(ConsoleError) {
      try site.mirror(live.sorted { $0.id.text < $1.id.text }, removed: removed)
      siteFailure = nil
    } catch {
      if siteFailure != error.message { log("delivery: \(error.message)") }
      siteFailure = error.message
    }
  }

  private func delivery(of publication: Publication) async throws(WorkspaceStoreError) -> ContainerDelivery? {
    if let known = deliveries[publication] { return known }
    switch try await compiler.delivery(of: publication) {
    case .success(let delivery): return delivery
    case .failure(let error):
      log("delivery: \(publication.container) in \(publication.environment) cannot be delivered: \(error.message)")
      // Better what was there before than nothing.
      return deliveries.first {
        $0.key.container == publication.container && $0.key.environment == publication.environment
      }?.value
    }
  }

  private func allContainers() async throws(WorkspaceStoreError) -> [AuthoredContainer] {
    var all: [AuthoredContainer] = []
    while true {
      let page = try await store.containers(after: all.last?.id, limit: 500)
      all += page
      if page.count < 500 { return all }
    }
  }
}
