import Hits
import TagManager

/// Fires one built-in tag with literal parameters.
struct TagRig {
  var parameters: [String: Value] = [:]
  var name = "The tag"
  var event = "purchase"
  var update: [String: Value] = [:]
  var semantics: CompiledContainer.Semantics = .standard
  var dataLayer: [String: Value] = [:]
  var identifiers: Identifiers?
  var policy = TagURLPolicy()
  var spent: Set<String> = []

  struct Identifiers: IdentifierProvider {
    var advertisingID: String? = "9b2d1c5e-0001-4000-8000-000000000001"
    var isTrackingAllowed = true
    var deviceID: String?
  }

  func effects(of function: FunctionName) throws(TagFailure) -> [TagEffect] {
    let call = TagCall(
      name: name, function: function, parameters: parameters, event: event, update: update, semantics: semantics)
    let surroundings = TagSurroundings(
      device: FixedDevice(osVersion: "18.2", appID: "com.example.shop", appVersion: "1.4"), identifiers: identifiers,
      random: SeededRandomSource(seed: 7), urlPolicy: policy,
      conversionBase: "https://www.googleadservices.com/pagead/conversion/", isSpent: { spent.contains($0) })
    let context = TagContext(dataLayer: DataLayerModel(dataLayer), time: 1_625_729_421_711, in: surroundings)
    return try BuiltInTags[function]?.effects(of: call, in: context) ?? []
  }

  /// What the tag failed with; nil when it did not fail.
  func failure(of function: FunctionName) -> TagFailure? {
    do throws(TagFailure) {
      _ = try effects(of: function)
      return nil
    } catch { return error }
  }

  /// The hits the tag sends.
  func hits(of function: FunctionName) throws(TagFailure) -> [HitBuilder] {
    try effects(of: function).compactMap { if case .send(let hit, _) = $0 { hit } else { nil } }
  }

  /// The URL of the beacon the tag sends.
  func url(of function: FunctionName) throws(TagFailure) -> String? { try hits(of: function).first?.get("url") }

  /// The codes and messages of what the tag tells its author.
  func warnings(of function: FunctionName) throws(TagFailure) -> [Diagnostic] {
    try effects(of: function).compactMap { if case .warn(let diagnostic) = $0 { diagnostic } else { nil } }
  }
}
