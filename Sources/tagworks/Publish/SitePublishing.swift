import Authoring
import Console
import Hits
import TagManager

/// Publishing to a directory that any web server delivers (CO-406).
struct SitePublishing {
  let source: ContainerSource
  let site: String
  /// The version's text; nil for the workspace's own, else the number of the publication.
  let version: String?
  let keys: [SigningKey]

  /// What is live now.
  func publish() throws(CommandFailure) -> ContainerDelivery {
    let (id, workspace) = try source.namedWorkspace()
    // Before anything is touched: it prints what is wrong.
    _ = try source.usableContainer()
    let time = SystemHitClock().now().wallMilliseconds
    do throws(ConsoleError) {
      return try StaticSite(directory: site).publish(id) { sequence throws(ConsoleError) in
        var settings = ContainerSource.settings
        settings.version = version ?? (["", "0"].contains(workspace.version) ? String(sequence) : nil)
        settings.sequence = sequence
        settings.publishedAt = time
        guard let container = workspace.compiled(settings).container else {
          throw ConsoleError(code: .notDeliverable, message: "\(id) cannot be compiled")
        }
        return try ContainerDelivery(container, keys: keys)
      }
    } catch {
      throw CommandFailure(error.message, status: error.code == .siteFailed ? .unavailable : .inputHasErrors)
    }
  }
}
