import Hits

extension MacroFunctions {
  /// Values looked up by a text.
  static let tables: [MacroFunction] = [
    MacroFunction(.lookupTable, requires: ["input", "map"], lookup),
    MacroFunction(.regexTable, requires: ["input", "map"], search),
  ]

  /// The value of the last entry whose key equals the input, as the web engine fills a map entry by entry.
  @Sendable
  private static func lookup(_ arguments: Arguments, _ context: MacroContext) -> Evaluated {
    guard let input = arguments["input"]?.comparisonText(arguments.semantics) else { return arguments.defaultValue }
    let entry = arguments.entries.last { entry in
      entry.key.comparisonText(arguments.semantics).hasSameScalars(as: input)
    }
    return entry.map { Evaluated($0.value) } ?? arguments.defaultValue
  }

  /// The value of the first entry whose pattern is found in the input.
  @Sendable
  private static func search(_ arguments: Arguments, _ context: MacroContext) -> Evaluated {
    guard let input = arguments["input"]?.comparisonText(arguments.semantics) else { return arguments.defaultValue }
    for entry in arguments.entries {
      let key = RegexKey(
        entry.key.comparisonText(arguments.semantics), ignoresCase: arguments.isTrue("ignoreCase"),
        isAnchored: arguments.isTrue("fullMatch"))
      do throws(RegexFault) {
        guard try context.regexes.isFound(key, in: input) else { continue }
        guard arguments.isTrue("replaceAfterMatch"), !entry.value.isAbsent else { return Evaluated(entry.value) }
        let replacement = entry.value.comparisonText(arguments.semantics)
        return .value(.string(try context.regexes.replacing(key, in: input, with: replacement)))
      } catch {
        context.report(error)
        // A typo in one pattern leaves the other entries as they are; in legacy semantics it fails the macro (TM-705).
        if error != .invalid || arguments.semantics == .legacy { return .failed(error.failure) }
      }
    }
    return arguments.defaultValue
  }
}

extension Arguments {
  /// The entries of a table, maps with `key` and `value`; those without a key match nothing and are left out.
  fileprivate var entries: [(key: Value, value: Value)] {
    (self["map"]?.list ?? []).compactMap { item in
      guard let entry = item.map, let key = entry["key"], !key.isAbsent else { return nil }
      return (key, entry["value"] ?? .absent)
    }
  }
}

extension MacroContext {
  /// Tells the author what is wrong with a pattern.
  func report(_ fault: RegexFault) {
    guard let code = fault.diagnostic else { return }
    let message =
      fault == .invalid
      ? "A macro's pattern is not a regular expression. Correct the pattern."
      : "A macro's pattern took longer than 50 ms and was stopped. Write it without nested repeats."
    report(Diagnostic(.warning, code, message))
  }
}
