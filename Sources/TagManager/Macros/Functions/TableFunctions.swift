import Hits

extension MacroFunctions {
  /// Values looked up by a text.
  static let tables: [MacroFunction] = [
    MacroFunction(.lookupTable, requires: ["input", "map"], lookup),
    MacroFunction(.regexTable, requires: ["input", "map"], search),
  ]

  /// The value of the last entry whose key equals the input, as the web engine fills a map entry by entry; a missing
  /// input equals a missing key.
  @Sendable
  private static func lookup(_ arguments: Arguments, _ context: MacroContext) -> Evaluated {
    let input = arguments["input"]?.comparisonText(arguments.semantics)
    let entry = arguments.entries.last { entry in
      guard let input, !entry.key.isAbsent else { return input == nil && entry.key.isAbsent }
      return entry.key.comparisonText(arguments.semantics).hasSameScalars(as: input)
    }
    return entry.map { Evaluated($0.value) } ?? arguments.defaultValue
  }

  /// The value of the first entry whose pattern is found in the input; a missing input is empty as a text (TM-610).
  @Sendable
  private static func search(_ arguments: Arguments, _ context: MacroContext) -> Evaluated {
    let input = arguments["input"]?.comparisonText(arguments.semantics) ?? ""
    for entry in arguments.entries where !entry.key.isAbsent {
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
  /// The entries of a table, maps with `key` and `value`; what an entry lacks is absent.
  fileprivate var entries: [(key: Value, value: Value)] {
    (self["map"]?.list ?? []).compactMap { item in
      item.map.map { ($0["key"] ?? .absent, $0["value"] ?? .absent) }
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
