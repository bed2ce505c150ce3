import Authoring
import Hits
import TagManager

/// `tagworks container push`: a file becomes the draft of its container.
enum ContainerPush: Command {
  static let description = CommandDescription(
    path: "container push",
    summary: "Makes a workspace export the draft of its container on a console.",
    operands: [.init(name: "WORKSPACE", help: "a workspace export that names its publicId")],
    options: ConsoleClient.options + [
      .init(name: "--create", help: "make the container when the server has none of that id"),
      .init(name: "--force", help: "replace a draft that has changes which are in no version"),
    ],
    exits: [
      (.success, "saved"), (.inputHasErrors, "the server refuses it; its draft is as it was"),
      (.unavailable, "the server does not answer, or the file cannot be read"),
    ],
    example: "tagworks container push GTM-SHOP.workspace.json --server http://127.0.0.1:8080")

  static func run(_ arguments: Arguments) async throws -> ExitStatus {
    let source = try ContainerSource(path: arguments.operand(0) ?? "")
    let (id, workspace) = try source.namedWorkspace()
    source.tellDiagnostics()
    let container = RemoteContainer(id: id, client: try ConsoleClient(arguments))
    let revision = try await container.push(
      workspace, creates: arguments.has("--create"), isForced: arguments.has("--force"))
    Output.line("\(id): the draft is revision \(revision)")
    return .success
  }
}
