import Hits
import TagManager

/// `tagworks container get`: a value of a container in every type, and why it is what it is.
enum ContainerGet: Command {
  static let description = CommandDescription(
    path: "container get",
    summary: "Reads a value of a container in every type, and tells where it comes from.",
    operands: [
      .init(name: "FILE", help: "a container of any form"), .init(name: "KEY", help: "the macro's name"),
    ],
    options: [
      .init(name: "--language", value: "TAG", help: "the device's language", defaultText: "en-US"),
      CommandDescription.json,
    ],
    exits: [
      (.success, "there is a value"), (.inputHasErrors, "there is none, or the container has errors"),
      (.unavailable, "the file cannot be read"),
    ],
    example: "tagworks container get GTM-SHOP.json greeting --language es-ES")

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let key = arguments.operand(1) ?? ""
    let device = FixedDevice(language: arguments.value("--language") ?? "en-US")
    let container = try ContainerSession(ContainerFile(path: arguments.operand(0) ?? ""), device: device).container
    let lookup = container.value(for: key)
    if arguments.has("--json") {
      try JSONOutput.line(lookup)
    } else {
      Output.line(text(of: lookup, key: key, in: container))
    }
    return lookup.value == nil ? .inputHasErrors : .success
  }

  private static func text(of lookup: Lookup, key: String, in container: Container) -> String {
    var rows = [
      ("value", lookup.value?.jsonText ?? "(none)"), ("reason", "\(lookup.reason)"),
      ("text", "\"\(container.string(for: key))\""), ("integer", "\(container.int(for: key))"),
      ("double", "\(container.double(for: key))"), ("boolean", "\(container.bool(for: key))"),
    ]
    if let macro = lookup.macro { rows.append(("macro", "\(macro)")) }
    if let rule = lookup.rule { rows.append(("rule", rule)) }
    return rows.map { name, text in
      name + String(repeating: " ", count: 9 - name.count) + text
    }.joined(separator: "\n")
  }
}
