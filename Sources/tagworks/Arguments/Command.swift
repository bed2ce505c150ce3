/// One command of the program.
protocol Command {
  static var description: CommandDescription { get }

  /// Does the command's work.
  ///
  /// - Throws: `UsageError` for a value that cannot be used, `CommandFailure` for everything else.
  static func run(_ arguments: Arguments) async throws -> ExitStatus
}

/// Why a command could not do its work: a sentence for the person, and how the process ends.
struct CommandFailure: Error, Sendable {
  var message: String
  var status: ExitStatus

  init(_ message: String, status: ExitStatus = .inputHasErrors) {
    self.message = message
    self.status = status
  }
}
