/// A field's wire name with the type of its values, such as `Field.eventCategory` (HQ-112, HQ-130).
///
///     tracker.send(.screenView("Home").set("Sand Sea", for: .customDimension(3)))
public struct Field<Content: FieldContent>: Sendable, Hashable {
  /// The wire name, such as `ec`.
  public let name: String

  /// Makes a field of a wire name.
  public init(_ name: String) { self.name = name }
}

/// What a field can hold: text, whole numbers, numbers, booleans and amounts of money.
public protocol FieldContent: Sendable, Hashable {
  /// The text that a builder keeps; the sink writes it in the form of its parameter (HQ-133).
  var fieldText: String { get }
}

extension String: FieldContent {
  /// The text itself.
  public var fieldText: String { self }
}

extension Int64: FieldContent {
  /// The number in decimal.
  public var fieldText: String { String(self) }
}

extension Double: FieldContent {
  /// The number in decimal; what is not finite is refused by the sink (HQ-131).
  public var fieldText: String { description }
}

extension Bool: FieldContent {
  /// `1` or `0`.
  public var fieldText: String { self ? "1" : "0" }
}

extension Amount: FieldContent {
  /// The shortest plain decimal.
  public var fieldText: String { description }
}
