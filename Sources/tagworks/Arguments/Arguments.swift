/// A command's words, checked against its description.
struct Arguments: Sendable {
  private var operands: [String] = []
  /// The values of each option that is given; of a flag, an empty one.
  private(set) var values: [String: [String]] = [:]

  /// Reads the words behind the command's name.
  ///
  /// `--name value` and `--name=value` are the same; `--` ends the options.
  init(_ words: [String], for description: CommandDescription) throws(UsageError) {
    var words = words[...]
    var onlyOperands = false
    while let word = words.popFirst() {
      if word == "--", !onlyOperands {
        onlyOperands = true
      } else if word.hasPrefix("--"), !onlyOperands {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        try read(String(parts[0]), inline: parts.count == 2 ? String(parts[1]) : nil, from: &words, description)
      } else {
        operands.append(word)
      }
    }
    guard operands.count <= description.operands.count else {
      throw UsageError("unexpected '\(operands[description.operands.count])'")
    }
    for (index, operand) in description.operands.enumerated() where operand.isRequired && index >= operands.count {
      throw UsageError("\(operand.name) is missing")
    }
    for option in description.options where option.isRequired && values[option.name] == nil {
      throw UsageError("\(option.name) is missing")
    }
  }

  private mutating func read(
    _ name: String, inline: String?, from words: inout ArraySlice<String>, _ description: CommandDescription
  ) throws(UsageError) {
    guard let option = description.options.first(where: { $0.name == name }) else {
      throw UsageError("unknown option '\(name)'")
    }
    guard option.isRepeatable || values[name] == nil else { throw UsageError("\(name) is given twice") }
    if option.value == nil {
      guard inline == nil else { throw UsageError("\(name) takes no value") }
      values[name] = [""]
    } else if let value = inline ?? words.popFirst() {
      values[name, default: []].append(value)
    } else {
      throw UsageError("\(name) needs a value")
    }
  }

  /// The operand at a position; nil when it was left out.
  func operand(_ index: Int) -> String? { operands.indices.contains(index) ? operands[index] : nil }

  /// Whether a flag is given.
  func has(_ flag: String) -> Bool { values[flag] != nil }

  /// An option's value; nil when it was left out.
  func value(_ option: String) -> String? { values[option]?.first }

  /// Every value of an option that may be repeated.
  func all(_ option: String) -> [String] { values[option] ?? [] }

  /// An option's value as a number in a range.
  func integer(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = value(option) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError("\(option) takes a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
    }
    return number
  }
}

/// A command line that cannot be read: one clear sentence.
struct UsageError: Error, Sendable {
  var message: String

  init(_ message: String) { self.message = message }
}
