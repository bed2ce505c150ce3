public import Hits

/// A tag about to fire, its parameters evaluated (TM-807).
public struct TagCall: Sendable, Hashable {
  /// The tag's name in the container.
  public var name: String
  /// Its function.
  public var function: FunctionName
  /// Its parameters; what is missing is not there.
  public var parameters: [String: Value]
  /// The event that fires it.
  public var event: String
  /// The update that made the event.
  public var update: [String: Value]
  /// Which text forms apply.
  public var semantics: CompiledContainer.Semantics

  /// Makes a call.
  public init(
    name: String, function: FunctionName, parameters: [String: Value], event: String, update: [String: Value] = [:],
    semantics: CompiledContainer.Semantics = .standard
  ) {
    self.name = name
    self.function = function
    self.parameters = parameters
    self.event = event
    self.update = update
    self.semantics = semantics
  }
}

/// What a built-in tag may see besides its call.
package struct TagContext: Sendable {
  /// The data layer as of the push.
  package let dataLayer: DataLayerModel
  /// Wall milliseconds of the push.
  package let time: Int64
  private let surroundings: TagSurroundings

  package init(dataLayer: DataLayerModel, time: Int64, in surroundings: TagSurroundings) {
    self.dataLayer = dataLayer
    self.time = time
    self.surroundings = surroundings
  }

  /// Facts about the device and the app.
  package var device: any Device { surroundings.device }
  /// Advertising ids, if the app gives them.
  package var identifiers: (any IdentifierProvider)? { surroundings.identifiers }
  /// Random numbers, for cache busters.
  package var random: any RandomSource { surroundings.random }
  /// Which URLs a tag may call (TM-841).
  package var urlPolicy: TagURLPolicy { surroundings.urlPolicy }
  /// Where conversions are reported (TM-842).
  package var conversionBase: String { surroundings.conversionBase }
  /// Whether an image tag of that id has fired in this install already (TM-840).
  package func isSpent(_ id: String) -> Bool { surroundings.isSpent(id) }
}

/// What the tags of a container see with every event alike.
///
/// It is a class, so that an event does not copy all of it.
package final class TagSurroundings: Sendable {
  let device: any Device
  let identifiers: (any IdentifierProvider)?
  let random: any RandomSource
  let urlPolicy: TagURLPolicy
  let conversionBase: String
  let isSpent: @Sendable (String) -> Bool

  package init(
    device: any Device, identifiers: (any IdentifierProvider)? = nil, random: any RandomSource,
    urlPolicy: TagURLPolicy = TagURLPolicy(), conversionBase: String,
    isSpent: @escaping @Sendable (String) -> Bool = { _ in false }
  ) {
    self.device = device
    self.identifiers = identifiers
    self.random = random
    self.urlPolicy = urlPolicy
    self.conversionBase = conversionBase
    self.isSpent = isSpent
  }
}

/// Which URLs image, conversion and http tags may call (TM-841).
package struct TagURLPolicy: Sendable, Hashable {
  /// Leaves http as it is instead of making it https.
  package var allowsInsecureRequests = false
  /// The only hosts allowed, lower case; nil for any.
  package var allowedHosts: Set<String>?

  package init(allowsInsecureRequests: Bool = false, allowedHosts: Set<String>? = nil) {
    self.allowsInsecureRequests = allowsInsecureRequests
    self.allowedHosts = allowedHosts
  }
}
