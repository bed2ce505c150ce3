import Hits

extension MacroFunctions {
  /// Texts made of values.
  static let texts: [MacroFunction] = [
    MacroFunction(.lowercase, requires: ["arg0"], isCacheable: true) { arguments, _ in
      Evaluated(text: arguments.text("arg0")?.lowercased())
    },
    MacroFunction(.uppercase, requires: ["arg0"], isCacheable: true) { arguments, _ in
      Evaluated(text: arguments.text("arg0")?.uppercased())
    },
    MacroFunction(.join, requires: ["arg0"], isCacheable: true) { arguments, _ in
      Evaluated(text: arguments["arg0"].map { Joiner(arguments).text(of: $0) })
    },
    MacroFunction(.regexGroup, requires: ["arg0", "arg1"], isCacheable: true, regexGroup),
  ]

  @Sendable
  private static func regexGroup(_ arguments: Arguments, _ context: MacroContext) -> Evaluated {
    let group = arguments["group"] == nil ? 1 : arguments.int64("group")
    guard let text = arguments.text("arg0"), let pattern = arguments.text("arg1"), let group = group.flatMap(Int.init)
    else { return .missing(.noValue) }
    do throws(RegexFault) {
      let key = RegexKey(pattern, ignoresCase: arguments.isTrue("ignore_case"))
      return Evaluated(text: try context.regexes.group(group, of: key, in: text))
    } catch {
      context.report(error)
      return error == .invalid && arguments.semantics == .standard ? .missing(.noValue) : .failed(error.failure)
    }
  }
}

/// Joins the items of a list, or the entries of a map in byte order of their keys (TM-661).
private struct Joiner {
  private enum Escape: String {
    case url
    case backslash
  }

  private let itemSeparator: String
  private let keyValueSeparator: String
  private let escape: Escape?
  private let semantics: CompiledContainer.Semantics

  init(_ arguments: Arguments) {
    itemSeparator = arguments.text("item_separator") ?? ""
    keyValueSeparator = arguments.text("key_value_separator") ?? "="
    escape = arguments.text("escape").flatMap(Escape.init)
    semantics = arguments.semantics
  }

  func text(of value: Value) -> String {
    switch value {
    case .list(let items):
      items.filter { !$0.isAbsent }.map { escaped($0.text(semantics)) }.joined(separator: itemSeparator)
    case .map(let entries):
      entries.inByteOrder.filter { !$0.value.isAbsent }
        .map { escaped($0.key) + keyValueSeparator + escaped($0.value.text(semantics)) }
        .joined(separator: itemSeparator)
    default: escaped(value.text(semantics))
    }
  }

  private func escaped(_ text: String) -> String {
    switch escape {
    case nil: return text
    case .url: return URIEscape.macro.escape(text)
    case .backslash:
      let marked = Set((itemSeparator + keyValueSeparator + "\\").unicodeScalars)
      var result = String.UnicodeScalarView()
      for scalar in text.unicodeScalars {
        if marked.contains(scalar) { result.append("\\") }
        result.append(scalar)
      }
      return String(result)
    }
  }
}
