/// The canonical name of a function of macros, predicates or tags, or the raw id of an unknown one (TM-150).
public struct FunctionName: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The name, such as `lookupTable`, or an id such as `__xyz`.
  public let rawValue: String

  /// Makes a name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The name.
  public var description: String { rawValue }

  /// Whether this is an id that no table names.
  public var isUnknown: Bool { rawValue.hasPrefix("_") }
}

/// What a function call stands for; the same id can be a macro and a tag.
public enum FunctionKind: String, Sendable, Hashable {
  case macro
  case predicate
  case tag
}
