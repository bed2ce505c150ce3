import Hits
import TagManager

/// One visit to the shop: the session pushed through a container, and every outcome kept.
struct ShopVisit {
  let container: Container
  let outcomes: [PushOutcome]
  private let tagManager: TagManager

  /// Opens what the source holds and pushes the session.
  init(_ source: InMemoryDefaultContainers, sink: any HitSink, pixelBase: String) async throws {
    tagManager = TagManager(
      ports: TagManager.Ports(sink: sink, device: Shop.device(language: "es-ES"), defaultContainers: source))
    tagManager.refreshMode = .defaultContainer
    tagManager.traceDetail = .full
    tagManager.consent = .granted(["analytics_storage"])
    Shop.register(in: tagManager.handlers, pixelBase: pixelBase)
    container = try tagManager.openContainer(Shop.id)
    var outcomes: [PushOutcome] = []
    for update in try Shop.session().updates {
      outcomes.append(await tagManager.dataLayer.push(update).outcome)
    }
    self.outcomes = outcomes
  }

  /// Why the tag would fire or not, were the update pushed now.
  func explanation(of tag: String, for update: [String: Value]) -> Explanation {
    container.explain(tag: tag, event: update)
  }

  /// Every tag that fired, in order.
  var fired: [TagOutcome] {
    outcomes.flatMap(\.containers).flatMap(\.tags).filter { $0.status == .fired }
  }

  /// The names of the tags that fired, event by event: what two forms of one container must agree on.
  var firedNames: [[String]] {
    outcomes.map { outcome in
      outcome.containers.flatMap(\.tags).filter { $0.status == .fired }.map(\.name)
    }
  }
}
