import Authoring
import Hits
import TagManager

/// Publishing to a console: the file becomes the draft, a version of it, and live (CO-400, CO-900).
///
/// These are three requests. What the console would refuse in the last one is found out before the first.
struct ServerPublishing {
  let source: ContainerSource
  let client: ConsoleClient
  var environment = "live"
  var percent = 100.0
  var name: String?
  var notes: String?
  var creates = false
  var isForced = false

  /// What is live now.
  struct Outcome {
    var id: ContainerID
    var version: Int64
    var sequence: Int64
  }

  func publish() async throws(CommandFailure) -> Outcome {
    let (id, workspace) = try source.namedWorkspace()
    // What has errors is not even sent.
    _ = try source.usableContainer()
    let container = RemoteContainer(id: id, client: client)
    try await PublishCheck(container: container, environment: environment, percent: percent, creates: creates).run()
    let revision = try await container.push(workspace, creates: creates, isForced: isForced)
    let version = try await container.version(of: revision, name: name, notes: notes)
    let sequence = try await container.publish(version, in: environment, percent: percent)
    return Outcome(id: id, version: version, sequence: sequence)
  }
}
