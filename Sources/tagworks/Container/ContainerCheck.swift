import Authoring
import Hits
import TagManager

/// `tagworks container check`: whether a file is a container, and what its author should know.
enum ContainerCheck: Command {
  static let description = CommandDescription(
    path: "container check",
    summary: "Tells whether a file is a usable container, and what its author should know.",
    operands: [
      .init(
        name: "FILE", help: "a container: binary, compiled JSON, flat JSON or property list; or a workspace export")
    ],
    options: [CommandDescription.json],
    exits: [(.success, "usable"), (.inputHasErrors, "not usable"), (.unavailable, "the file cannot be read")],
    example: "tagworks container check GTM-SHOP.json")

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let file = try ContainerFile(path: arguments.operand(0) ?? "")
    let report = Report(file)
    if arguments.has("--json") {
      try JSONOutput.line(report)
    } else {
      Output.line(report.text)
      for diagnostic in report.diagnostics { Output.message(DiagnosticText.line(diagnostic, file: file.path)) }
    }
    return report.usable ? .success : .inputHasErrors
  }

  /// The verdict, in the fields of the documented JSON.
  struct Report: Encodable {
    var file: String
    var form: String?
    var id: String?
    var version: String?
    var usable: Bool
    var macros = 0
    var tags = 0
    var predicates = 0
    var rules = 0
    var diagnostics: [Diagnostic]

    init(_ file: ContainerFile) {
      self.file = file.path
      form = file.result.form?.rawValue
      usable = file.result.container != nil
      diagnostics = file.result.diagnostics
      if file.result.form == .workspaceExport {
        let reading = WorkspaceReading(export: file.bytes)
        diagnostics += (reading.workspace?.diagnostics ?? reading.diagnostics).map(\.diagnostic)
      }
      guard let container = file.result.container else { return }
      id = container.id?.text
      version = container.version
      macros = container.macros.count
      tags = container.tags.count
      predicates = container.predicates.count
      rules = container.rules.count
    }

    var text: String {
      guard usable else { return "\(file): not usable" }
      let name = [id, version.flatMap { $0.isEmpty ? nil : "version \($0)" }].compactMap { $0 }.joined(separator: " ")
      let counts = [(macros, "macro"), (tags, "tag"), (predicates, "predicate"), (rules, "rule")]
      return """
        \(file): usable, \(form ?? "")\(name.isEmpty ? "" : ", \(name)")
          \(counts.map { CountText.text($0, $1) }.joined(separator: ", "))
        """
    }
  }
}
