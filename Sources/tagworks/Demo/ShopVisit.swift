import Hits
import TagManager

/// One visit to the shop: the session pushed through a container, and every outcome kept.
struct ShopVisit {
  let outcomes: [PushOutcome]
  private let container: Container

  /// Pushes the session through the container of an app.
  init(_ container: Container, of tagManager: TagManager) async throws {
    self.container = container
    var outcomes: [PushOutcome] = []
    for update in try Shop.session().updates {
      outcomes.append(await tagManager.dataLayer.push(update).outcome)
    }
    self.outcomes = outcomes
  }

  /// Pushes the session through a container that the app ships with; its hits go nowhere.
  init(bundled source: InMemoryDefaultContainers, pixelBase: String) async throws {
    let tagManager = TagManager(
      ports: TagManager.Ports(
        sink: DiscardingSink(), device: Shop.device(language: "en-US"), defaultContainers: source))
    tagManager.refreshMode = .defaultContainer
    tagManager.consent = .granted(["analytics_storage"])
    Shop.register(in: tagManager.handlers, pixelBase: pixelBase)
    try await self.init(try tagManager.openContainer(Shop.id), of: tagManager)
  }

  /// Why the tag would fire or not, were the update pushed now.
  func explanation(of tag: String, for update: [String: Value]) -> Explanation {
    container.explain(tag: tag, event: update)
  }

  /// Every tag that fired, in order.
  var fired: [TagOutcome] {
    outcomes.flatMap(\.containers).flatMap(\.tags).filter { $0.status == .fired }
  }
}
