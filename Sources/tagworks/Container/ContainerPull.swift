import Foundation
import Hits
import TagManager

/// `tagworks container pull`: a container's draft, or a version, as a file for git.
enum ContainerPull: Command {
  static let description = CommandDescription(
    path: "container pull",
    summary: "Writes a container's workspace from a console into a file that git can compare line by line.",
    operands: [
      .init(name: "ID", help: "the container, such as GTM-XXXX"),
      .init(name: "FILE", help: "the file to write; - is standard output", isRequired: false),
    ],
    options: ConsoleClient.options + [
      .init(name: "--version", value: "NUMBER", help: "this version", defaultText: "the draft")
    ],
    exits: [
      (.success, "written"), (.inputHasErrors, "the server refuses it, or there is no such container"),
      (.unavailable, "the server does not answer, or the file cannot be written"),
    ],
    example: "tagworks container pull GTM-SHOP --server http://127.0.0.1:8080")

  static func run(_ arguments: Arguments) async throws -> ExitStatus {
    let id = ContainerID(arguments.operand(0) ?? "")
    guard id.isValid else { throw UsageError("'\(id)' is no container id") }
    let version = try arguments.integer("--version", in: 1...999_999_999)
    let container = RemoteContainer(id: id, client: try ConsoleClient(arguments))
    let workspace: Value
    if let version {
      workspace = try await container.workspace(ofVersion: Int64(version))
    } else if let draft = try await container.draft() {
      workspace = draft.workspace
    } else {
      throw CommandFailure("there is no container \(id) on the server, or the token may not see it")
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(workspace) + Data("\n".utf8)
    let path = arguments.operand(1) ?? "\(id).workspace.json"
    guard path != "-" else {
      Output.data(data)
      return .success
    }
    do { try data.write(to: URL(fileURLWithPath: path), options: .atomic) } catch {
      throw CommandFailure("\(path): cannot be written", status: .unavailable)
    }
    Output.line("\(path): \(version.map { "version \($0)" } ?? "the draft") of \(id)")
    return .success
  }
}
