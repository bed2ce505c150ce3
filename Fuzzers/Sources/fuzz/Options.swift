/// The command line.
///
///     fuzz [--seconds N | --runs N] [--seed N] [--only NAME] [--replay INPUT [--output FILE]]
struct Options {
  var seconds = 60.0
  var runs: UInt64?
  var seed: UInt64 = 1
  var only: String?
  var replay: UInt64?
  var output: String?

  static let usage = """
    usage: fuzz [--seconds N | --runs N] [--seed N] [--only NAME] [--replay INPUT [--output FILE]]
      --seconds N     for so long (default 60)
      --runs N        so many inputs instead
      --seed N        another sequence of inputs (default 1)
      --only NAME     one target: binary, json, propertyList, reader, workspace
      --replay INPUT  the input of that number again, with the same --seed and --only
      --output FILE   writes that input to a file
    """

  /// Reads the arguments; nil when they are wrong.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let flag = rest.popFirst() {
      guard let value = rest.popFirst() else { return nil }
      switch flag {
      case "--seconds":
        guard let number = Double(value), number > 0 else { return nil }
        seconds = number
      case "--runs":
        guard let number = UInt64(value) else { return nil }
        runs = number
      case "--seed":
        guard let number = UInt64(value) else { return nil }
        seed = number
      case "--only": only = value
      case "--replay":
        guard let number = UInt64(value) else { return nil }
        replay = number
      case "--output": output = value
      default: return nil
      }
    }
  }
}
