/// What the person allows tags to do: everything, or the named consent types (TM-806).
///
/// The names are Google's, such as `analytics_storage`.
public enum Consent: Sendable, Hashable {
  case all
  case granted(Set<String>)

  /// Whether a consent type is granted.
  public func allows(_ type: String) -> Bool {
    switch self {
    case .all: true
    case .granted(let types): types.contains(type)
    }
  }
}
