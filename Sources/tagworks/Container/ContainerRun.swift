import Hits
import TagManager

/// `tagworks container run`: pushes a file of events and tells what each caused, and why.
enum ContainerRun: Command {
  static let description = CommandDescription(
    path: "container run",
    summary: "Pushes a file of events at a container and explains what each caused.",
    operands: [.init(name: "FILE", help: "a container of any form")],
    options: [
      .init(
        name: "--events", value: "FILE", help: "one push a line, a JSON object; - is standard input", isRequired: true),
      .init(name: "--set", value: "NAME=TEXT", help: "the macro of that name gives the text", isRepeatable: true),
      .init(name: "--language", value: "TAG", help: "the device's language", defaultText: "en-US"),
      .init(name: "--json", help: "print one outcome a line as JSON, with all values"),
    ],
    exits: [
      (.success, "every push was taken"), (.inputHasErrors, "the container, the events or a push has errors"),
      (.unavailable, "a file cannot be read"),
    ],
    example: "tagworks container run GTM-SHOP.json --events session.ndjson")

  static func run(_ arguments: Arguments) async throws -> ExitStatus {
    var overrides: [MacroOverride] = []
    for argument in arguments.all("--set") { overrides.append(try MacroOverride(argument)) }
    let file = try ContainerFile(path: arguments.operand(0) ?? "")
    let events = try EventsFile(path: arguments.value("--events") ?? "")
    let device = FixedDevice(language: arguments.value("--language") ?? "en-US")
    let session = try ContainerSession(file, overrides: overrides, device: device)
    var status = ExitStatus.success
    for update in events.updates {
      let outcome = await session.tagManager.dataLayer.push(update).outcome
      if case .rejected = outcome.disposition { status = .inputHasErrors }
      if arguments.has("--json") {
        try JSONOutput.line(outcome)
      } else {
        Output.line(OutcomeText(outcome: outcome).lines.joined(separator: "\n"))
      }
    }
    return status
  }
}
