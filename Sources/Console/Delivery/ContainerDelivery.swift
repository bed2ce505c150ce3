import Authoring
import Hits
package import TagManager

/// What apps get of a publication, in each form, signed and packed: nothing is left to do for a request (CO-600).
package struct ContainerDelivery: Sendable {
  package let id: ContainerID
  package let environment: String
  /// What its author calls the version.
  package let version: String
  /// Compiled JSON.
  package let json: DeliveryBody
  /// The older binary form in its wrapper; nil when the container holds what the form cannot say.
  package let binary: DeliveryBody?

  /// Makes the bodies of a compiled container.
  ///
  /// - Parameters:
  ///   - rollout: the share of installs that get it, and what the others keep (CO-404). The binary form cannot say both:
  ///     it holds what the others keep until the share is 100 (TM-138).
  ///   - keys: each signs every body.
  ///   - environments: for which the bodies are signed; the container's own without them.
  /// - Throws: `notDeliverable` for a container without an id, or one that cannot be written as compiled JSON.
  package init(
    _ container: CompiledContainer, rollout: Rollout? = nil, keys: [SigningKey] = [],
    signedFor environments: [String] = []
  ) throws(ConsoleError) {
    guard let id = container.id, id.isValid else {
      throw ConsoleError(code: .notDeliverable, message: "the container has no id by which apps could ask for it")
    }
    let bytes: [UInt8]
    do throws(ContainerEncodingError) {
      bytes = try ContainerOutput.json.bytes(of: container, rollout: rollout)
    } catch {
      throw ConsoleError(
        code: .notDeliverable, message: "\(id) cannot be written as compiled JSON: \(error.message)", cause: error)
    }
    let seal = DeliverySeal(
      id: id, container: container, environments: environments.isEmpty ? [container.environment] : environments,
      keys: keys)
    self.id = id
    environment = container.environment
    version = container.version
    let fingerprint = container.fingerprint ?? ContentFingerprint.text(of: bytes)
    json = try DeliveryBody(bytes, .json, fingerprint: fingerprint, version: container.version, seal)
    let whole = rollout.map { $0.percent < 100 ? $0.previous : container } ?? container
    binary = try Self.binary(whole, fallback: fingerprint, seal)
  }

  private static func binary(
    _ container: CompiledContainer, fallback: String, _ seal: DeliverySeal
  ) throws(ConsoleError) -> DeliveryBody? {
    let fingerprint = container.fingerprint ?? fallback
    let bytes: [UInt8]
    do throws(ContainerEncodingError) {
      bytes = try SupplementedResource.bytes(of: container, fingerprint: fingerprint)
    } catch {
      // Fractions and flags are no fault of the author's: such a container is there as compiled JSON alone.
      return nil
    }
    return try DeliveryBody(bytes, .binary, fingerprint: fingerprint, version: container.version, seal)
  }
}

/// The two forms in which apps take containers.
package enum DeliveryForm: Sendable {
  case json
  case binary

  package var contentType: String {
    switch self {
    case .json: "application/json"
    case .binary: "application/x-protobuf"
    }
  }
}

/// What vouches for all bodies of one publication.
struct DeliverySeal {
  let id: ContainerID
  let container: CompiledContainer
  let environments: [String]
  let keys: [SigningKey]

  /// More would not fit into the head of an answer.
  private static let limit = 32

  func header(of body: [UInt8]) throws(ConsoleError) -> String? {
    var signatures: [String] = []
    for environment in environments {
      for key in keys where signatures.count < Self.limit {
        signatures.append(
          try key.signature(id: id, environment: environment, sequence: container.sequence, body: body).headerText)
      }
    }
    return signatures.isEmpty ? nil : signatures.joined(separator: ",")
  }
}
