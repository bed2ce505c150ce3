import Authoring
import Hits

/// How a condition compares, as one choice of a form: the export's type with what turns it round (CO-204).
enum ConditionForm {
  private static let types: [(type: String, text: String, negation: String)] = [
    ("EQUALS", "equals", "does not equal"), ("CONTAINS", "contains", "does not contain"),
    ("STARTS_WITH", "starts with", "does not start with"), ("ENDS_WITH", "ends with", "does not end with"),
    ("MATCH_REGEX", "matches RegExp", "does not match RegExp"),
    ("LESS", "is less than", "is not less than"), ("LESS_OR_EQUALS", "is at most", "is not at most"),
    ("GREATER", "is greater than", "is not greater than"),
    ("GREATER_OR_EQUALS", "is at least", "is not at least"),
  ]

  static let options: [(value: String, text: String)] = types.flatMap { entry in
    var options = [(entry.type, entry.text), ("!" + entry.type, entry.negation)]
    if entry.type == "MATCH_REGEX" {
      options.append((entry.type + "/i", entry.text + " (ignore case)"))
      options.append(("!" + entry.type + "/i", entry.negation + " (ignore case)"))
    }
    return options
  }

  /// The row of a form: what is compared, how, with what.
  static func row(_ condition: Condition) -> [String] {
    let argument = { (key: String) in condition.parameters.last { $0.key == key }?.text ?? "" }
    let form = (condition.isNegated ? "!" : "") + condition.type + (condition.ignoresCase ? "/i" : "")
    return [argument("arg0"), form, argument("arg1")]
  }

  /// The condition that a row says.
  static func condition(_ row: [String]) -> Condition {
    var type = row[1]
    let isNegated = type.hasPrefix("!")
    if isNegated { type.removeFirst() }
    let ignoresCase = type.hasSuffix("/i")
    if ignoresCase { type.removeLast(2) }
    var condition = Condition(type, row[0], row[2], isNegated: isNegated)
    if ignoresCase {
      let parameters = condition.parameters + [Parameter("ignore_case", true)]
      condition.fields["parameter"] = .list(parameters.map { .map($0.fields) })
    }
    return condition
  }
}
