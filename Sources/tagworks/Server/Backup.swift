import Console
import Foundation

/// `tagworks backup`: a copy of a server's databases, while it runs.
enum Backup: Command {
  static let description = CommandDescription(
    path: "backup",
    summary: "Writes a consistent copy of a server's containers, versions, tokens and hits; the server may run.",
    operands: [.init(name: "FILE", help: "the new file")],
    options: ServerPlace.options,
    exits: [(.success, "written"), (.unavailable, "there is no server's database, or FILE cannot be made")],
    example: "tagworks backup /var/backups/tagworks-monday --data ./data")

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let file = try ServerPlace.file(arguments)
    try ServerPlace.work(arguments) { server throws(ConsoleError) in try server.write(to: file) }
    Output.message("written to \(file)")
    return .success
  }
}

/// `tagworks restore`: a server's databases from a backup.
enum Restore: Command {
  static let description = CommandDescription(
    path: "restore",
    summary: "Brings a backup into a data directory without databases; no server may run there.",
    operands: [.init(name: "FILE", help: "what backup has written")],
    options: ServerPlace.options,
    exits: [(.success, "restored"), (.unavailable, "a server or a database is there, or FILE is damaged")],
    example: "tagworks restore /var/backups/tagworks-monday --data ./data")

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let file = try ServerPlace.file(arguments)
    try ServerPlace.work(arguments) { server throws(ConsoleError) in try server.restore(from: file) }
    Output.message("restored from \(file)")
    return .success
  }
}

/// Which server's files a command works on.
enum ServerPlace {
  static let options: [CommandDescription.Option] = [
    .init(
      name: "--data", value: "DIR", help: "the server's data directory; TAGWORKS_DATA",
      defaultText: ServeSettings.defaults.data),
    .init(
      name: "--database", value: "sqlite:PATH", help: "the file of the console's database; TAGWORKS_DATABASE",
      defaultText: "console.sqlite3 in the data directory"),
  ]

  static func file(_ arguments: Arguments) throws(UsageError) -> String {
    guard let file = arguments.operand(0), !file.isEmpty else { throw UsageError("FILE is empty") }
    return file
  }

  static func work(
    _ arguments: Arguments, _ work: (ServerBackup) throws(ConsoleError) -> Void
  ) throws {
    let settings: ServeSettings
    do throws(ConsoleError) {
      settings = try ServeSettings(flags: arguments.values, environment: ProcessInfo.processInfo.environment)
    } catch {
      throw UsageError(error.message)
    }
    do throws(ConsoleError) { try work(ServerBackup(data: settings.data, database: settings.database)) } catch {
      throw CommandFailure(error.message, status: .unavailable)
    }
  }
}
