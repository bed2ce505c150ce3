import Authoring
import Console
import Hits
import TagManager

/// `tagworks publish`: a workspace becomes what apps get.
enum Publish: Command {
  static let description = CommandDescription(
    path: "publish",
    summary: "Compiles a workspace and makes it live: on a console, or in a directory that any web server delivers.",
    operands: [.init(name: "WORKSPACE", help: "a workspace export")],
    options: [
      .init(
        name: "--to", value: "DIR",
        help: "write v1/containers/<id>, every version beside it, and configuration for nginx"),
      .init(
        name: "--version", value: "TEXT", help: "with --to: what the version is called",
        defaultText: "the workspace's own, else the number of the publication"),
      .init(
        name: "--signing-key", value: "FILE",
        help: "with --to: a key that signs the container; see 'tagworks key make'", isRepeatable: true),
    ] + ConsoleClient.options + [
      .init(name: "--environment", value: "NAME", help: "where it is made live on the console", defaultText: "live"),
      .init(name: "--percent", value: "NUMBER", help: "the share of installs that get it", defaultText: "100"),
      .init(name: "--name", value: "TEXT", help: "what the version is called on the console"),
      .init(name: "--notes", value: "TEXT", help: "what is new in it"),
      .init(name: "--create", help: "make the container when the console has none of that id"),
      .init(name: "--force", help: "replace a draft that has changes which are in no version"),
      CommandDescription.json,
    ],
    exits: [
      (.success, "live"), (.inputHasErrors, "the workspace or a key has errors, or the console refuses it"),
      (.unavailable, "a file cannot be read or written, or the console does not answer"),
    ],
    example: "tagworks publish GTM-SHOP.workspace.json --server http://127.0.0.1:8080")

  private static let siteOptions = ["--version", "--signing-key"]
  private static let consoleOptions = [
    "--server", "--token-file", "--environment", "--percent", "--name", "--notes", "--create", "--force",
  ]

  static func run(_ arguments: Arguments) async throws -> ExitStatus {
    let others = arguments.has("--to") ? consoleOptions : siteOptions
    if let stray = others.first(where: arguments.has) {
      throw UsageError("\(stray) \(arguments.has("--to") ? "does not go with --to" : "goes with --to only")")
    }
    if let directory = arguments.value("--to") { return try publish(arguments, to: directory) }
    let client = try ConsoleClient(arguments)
    var publishing = ServerPublishing(source: try ContainerSource(path: arguments.operand(0) ?? ""), client: client)
    publishing.environment = arguments.value("--environment") ?? publishing.environment
    publishing.percent = try percent(arguments)
    publishing.name = arguments.value("--name")
    publishing.notes = arguments.value("--notes")
    publishing.creates = arguments.has("--create")
    publishing.isForced = arguments.has("--force")
    let outcome = try await publishing.publish()
    if arguments.has("--json") {
      let fields: [String: Value] = [
        "id": .string(outcome.id.text), "version": .int(outcome.version), "sequence": .int(outcome.sequence),
        "environment": .string(publishing.environment), "percent": .double(publishing.percent),
      ]
      Output.line(Value.map(fields).jsonText)
    } else {
      let share = publishing.percent < 100 ? " for \(NumberText.text(publishing.percent)) % of installs" : ""
      let isLive = publishing.environment == ContainerEnvironment.liveName
      let place = isLive ? "" : " in \(publishing.environment)"
      Output.line(
        "\(outcome.id) version \(outcome.version) is live\(place)\(share), publication \(outcome.sequence)")
    }
    return .success
  }

  private static func percent(_ arguments: Arguments) throws(UsageError) -> Double {
    guard let text = arguments.value("--percent") else { return 100 }
    guard let percent = Double(text), RolloutShare(percent: percent) != nil else {
      throw UsageError("--percent takes a number from 0 to 100 with up to two decimals, not '\(text)'")
    }
    return percent
  }

  private static func publish(_ arguments: Arguments, to directory: String) throws -> ExitStatus {
    let source = try ContainerSource(path: arguments.operand(0) ?? "")
    let delivery = try SitePublishing(
      source: source, site: directory, version: arguments.value("--version"), keys: try keys(arguments)
    ).publish()
    let report = PublishReport(delivery)
    if arguments.has("--json") {
      Output.line(report.json.jsonText)
    } else {
      Output.line(report.text)
      Output.line("  \(directory)/v1/containers/\(delivery.id)")
      Output.line("  nginx: include nginx/maps.conf and nginx/locations.conf once, and reload it after each publish")
    }
    return .success
  }

  private static func keys(_ arguments: Arguments) throws(CommandFailure) -> [SigningKey] {
    var keys: [SigningKey] = []
    do throws(ConsoleError) {
      for file in arguments.all("--signing-key") { keys.append(try SigningKey(file: file)) }
    } catch {
      throw CommandFailure(error.message)
    }
    return keys
  }
}
