/// What a command takes, said once: the parser and `--help` both read it.
struct CommandDescription: Sendable {
  /// A word that must or may stand behind the command's name.
  struct Operand: Sendable {
    var name: String
    var help: String
    var isRequired = true
  }

  /// A flag, or an option with a value.
  struct Option: Sendable {
    /// With its hyphens, such as `--events`.
    var name: String
    /// What the value is called in the help, such as `FILE`; nil for a flag.
    var value: String?
    var help: String
    /// What counts when the option is not given, as the help prints it.
    var defaultText: String?
    var isRequired = false
    var isRepeatable = false
  }

  /// The words after `tagworks`, such as `container check`.
  var path: String
  var summary: String
  var operands: [Operand] = []
  var options: [Option] = []
  /// What the exit codes mean here; 2 is always wrong usage.
  var exits: [(ExitStatus, String)] = [(.success, "fine"), (.inputHasErrors, "the input has errors")]
  /// One command line that works, and what it is for.
  var example: String?

  static let json = Option(name: "--json", help: "print JSON instead of text")
}

/// How the process ends.
enum ExitStatus: Int32, Error, Sendable {
  case success = 0
  case inputHasErrors = 1
  case wrongUsage = 2
  case unavailable = 3
}
