import Hits

/// How the fields of an export are read: what is not there, or of another type, is empty.
extension [String: Value] {
  func text(_ key: String) -> String { self[key]?.string ?? "" }

  func isTrue(_ key: String) -> Bool { self[key] == .bool(true) }

  /// The texts of a list; other items are left out.
  func texts(_ key: String) -> [String] { (self[key]?.list ?? []).compactMap(\.string) }

  /// The maps of a list; other items are left out.
  func maps(_ key: String) -> [[String: Value]] { (self[key]?.list ?? []).compactMap(\.map) }

  func parameters(_ key: String) -> [Parameter] { maps(key).map(Parameter.init(fields:)) }

  func conditions(_ key: String) -> [Condition] { maps(key).map(Condition.init(fields:)) }
}
