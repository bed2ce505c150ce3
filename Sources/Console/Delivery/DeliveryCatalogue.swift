package import Authoring
import Digests
import Hits
package import TagManager

/// Every container's answers, in memory: a request touches no database (CO-603).
///
/// It is filled from the store whenever something was published (`CatalogueRefresh`); requests under way finish on what
/// they began with.
package final class DeliveryCatalogue: Sendable {
  /// What is known of a container.
  package enum Entry: Sendable {
    /// One for apps, with its environments by name.
    case app([String: Place])
    /// One that is not for apps.
    case other(ContainerKind)
  }

  /// One environment of a container.
  package struct Place: Sendable {
    /// The digest of the token that lets apps in; nil where everybody may come in.
    var token: [UInt8]?
    /// What is live there; nil for nothing.
    var delivery: ContainerDelivery?

    package init(token: [UInt8]?, delivery: ContainerDelivery?) {
      self.token = token
      self.delivery = delivery
    }
  }

  private final class Shelf: Sendable {
    /// The answers of the environment that everybody may ask for.
    let open: DeliveryAnswers?
    let places: [String: (token: [UInt8]?, answers: DeliveryAnswers?)]
    let refusal: PreparedAnswer?

    init(_ id: ContainerID, _ entry: Entry) {
      switch entry {
      case .app(let environments):
        places = environments.mapValues { ($0.token, $0.delivery.map(DeliveryAnswers.init)) }
        open = places[ContainerEnvironment.liveName].flatMap { $0.token == nil ? $0.answers : nil }
        refusal = nil
      case .other(let kind):
        places = [:]
        open = nil
        refusal = DeliveryRefusal.wrongKind(id, kind)
      }
    }
  }

  /// nil until it is filled for the first time.
  private let shelves = Locked<[ContainerID: Shelf]?>(nil)

  /// Makes an empty one.
  package init() {}

  /// Replaces all of it at once.
  package func replace(with entries: [ContainerID: Entry]) {
    let made = Dictionary(uniqueKeysWithValues: entries.map { ($0.key, Shelf($0.key, $0.value)) })
    shelves.withLock { $0 = made }
  }

  /// What a request for a container is told; nil before the catalogue is filled.
  func answer(_ id: ContainerID, environment: String, token: String?, _ request: InstantRequest) -> PreparedAnswer? {
    switch find(id, environment: environment, token: token) {
    case .answers(let answers): answers.answer(request)
    case .refusal(let refusal): refusal
    case nil: nil
    }
  }

  /// What a request of the original SDK is told; nil before the catalogue is filled.
  func legacyAnswer(_ id: ContainerID, known fingerprint: String?, _ request: InstantRequest) -> PreparedAnswer? {
    switch find(id, environment: "live", token: nil) {
    case .answers(let answers): answers.legacyAnswer(request, known: fingerprint) ?? DeliveryRefusal.notBinary
    case .refusal(let refusal): refusal
    case nil: nil
    }
  }

  private enum Found {
    case answers(DeliveryAnswers)
    case refusal(PreparedAnswer)
  }

  private func find(_ id: ContainerID, environment: String, token: String?) -> Found? {
    guard let shelf = shelves.withLock({ shelves in shelves.map { $0[id] } }) else { return nil }
    guard let shelf else { return .refusal(DeliveryRefusal.unknown) }
    if let refusal = shelf.refusal { return .refusal(refusal) }
    if environment == ContainerEnvironment.liveName, let open = shelf.open { return .answers(open) }
    // Nobody learns which environments there are.
    guard let place = shelf.places[environment] else {
      return .refusal(environment == "live" ? DeliveryRefusal.unpublished : DeliveryRefusal.forbidden)
    }
    if let expected = place.token, token.map({ Digest.sha256($0.utf8) }) != expected {
      return .refusal(DeliveryRefusal.forbidden)
    }
    return place.answers.map(Found.answers) ?? .refusal(DeliveryRefusal.unpublished)
  }
}
