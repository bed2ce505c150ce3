public import Hits

extension Value {
  /// The text form: what templates, hits, predicates and string getters see (TM-502).
  ///
  /// Numbers are printed as ECMAScript does; null and absent are empty. A list is `[a, b]` in `legacy` semantics, in
  /// `standard` its items joined by commas. A map is `{k=v, k2=v2}` with keys in byte order.
  ///
  /// What is nested deeper than 64 levels counts as empty.
  public func text(_ semantics: CompiledContainer.Semantics) -> String {
    switch self {
    case .string(let text): return text
    case .int(let number): return String(number)
    case .double(let number): return NumberText.text(number)
    case .bool(let flag): return flag ? "true" : "false"
    case .null, .absent: return ""
    case .list, .map:
      var text = ""
      append(to: &text, semantics, depth: 0)
      return text
    }
  }

  private func append(to text: inout String, _ semantics: CompiledContainer.Semantics, depth: Int) {
    guard depth < UpdateLimits.depth else { return }
    switch self {
    case .list(let items):
      if semantics == .legacy { text += "[" }
      var isFirst = true
      for item in items {
        if semantics == .legacy, item.isAbsent { continue }
        if !isFirst { text += semantics == .legacy ? ", " : "," }
        isFirst = false
        item.append(to: &text, semantics, depth: depth + 1)
      }
      if semantics == .legacy { text += "]" }
    case .map(let entries):
      text += "{"
      var isFirst = true
      for (key, value) in entries.inByteOrder where !value.isAbsent {
        if !isFirst { text += ", " }
        isFirst = false
        text += key
        text += "="
        value.append(to: &text, semantics, depth: depth + 1)
      }
      text += "}"
    default: text += self.text(semantics)
    }
  }
}

extension Dictionary where Key == String {
  /// The entries by the bytes of their keys, so that nothing depends on hashing.
  package var inByteOrder: [(key: String, value: Value)] {
    sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
