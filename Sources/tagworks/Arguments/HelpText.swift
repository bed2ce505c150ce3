/// The help of a command, and of the whole program.
enum HelpText {
  static func text(for command: CommandDescription) -> String {
    var usage = "tagworks \(command.path)"
    for operand in command.operands { usage += operand.isRequired ? " \(operand.name)" : " [\(operand.name)]" }
    for option in command.options where option.isRequired { usage += " \(option.name) \(option.value ?? "")" }
    if command.options.contains(where: { !$0.isRequired }) { usage += " [options]" }
    var sections = ["\(command.summary)\n\nUsage: \(usage)"]
    let operands = command.operands.map { (Substring($0.name), $0.help) }
    if !operands.isEmpty { sections.append(table("Arguments", operands)) }
    let options = (command.options + [.init(name: "--help", help: "show this help")]).map { option in
      (Substring(option.name + (option.value.map { " " + $0 } ?? "")), help(of: option))
    }
    sections.append(table("Options", options))
    let exits = (command.exits + [(ExitStatus.wrongUsage, "wrong usage")]).sorted { $0.0.rawValue < $1.0.rawValue }
    sections.append(table("Exit status", exits.map { ("\($0.0.rawValue)", $0.1) }))
    if let example = command.example { sections.append("Example\n  \(example)") }
    return sections.joined(separator: "\n\n") + "\n"
  }

  static func overview(of commands: [CommandDescription]) -> String {
    """
    Tag manager, hit queue, collector and video ads: containers, hits, ad documents and the way between them.

    Usage: tagworks COMMAND [arguments]

    \(table("Commands", commands.map { (Substring($0.path), $0.summary) }))

    Results go to standard output, messages to standard error.
    'tagworks COMMAND --help' tells what a command takes, 'tagworks --version' which version this is.

    """
  }

  private static func help(of option: CommandDescription.Option) -> String {
    var text = option.help
    if option.isRepeatable { text += " (may be repeated)" }
    if let defaultText = option.defaultText { text += " [\(defaultText)]" }
    return text
  }

  private static func table(_ title: String, _ rows: [(Substring, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    let lines = rows.map { name, text in
      "  \(name)\(String(repeating: " ", count: width - name.count + 2))\(text)"
    }
    return ([title] + lines).joined(separator: "\n")
  }
}
