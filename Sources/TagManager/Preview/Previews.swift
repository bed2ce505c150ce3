public import Foundation
import Hits

/// The one preview of a manager (TM-1003).
final class Previews: Sendable {
  private let current = Locked<PreviewLink?>(nil)

  /// The link of the preview under way.
  var link: PreviewLink? { current.withLock { $0 } }

  /// Starts a preview; gives the id of the container whose preview this ends.
  func start(_ link: PreviewLink) -> ContainerID? {
    current.withLock { current in
      defer { current = link }
      return current?.id
    }
  }

  /// Ends the preview of a container; tells whether there was one.
  @discardableResult
  func end(_ id: ContainerID) -> Bool {
    current.withLock { current in
      guard current?.id == id else { return false }
      current = nil
      return true
    }
  }
}

extension TagManager {
  /// Starts or ends a preview if the URL is a preview link of this app; answers at once (TM-1000 to TM-1003).
  ///
  /// Call it with every URL the app is opened with, best before the container is opened.
  public func preview(_ url: URL) -> PreviewResult {
    let link: PreviewLink
    do throws(PreviewRefusal) {
      link = try PreviewLink.read(
        url.absoluteString, appID: environment.ports.device.appID, server: environment.configuration.server?.url)
    } catch {
      environment.log(.verbose, "A URL is no preview link of this app: \(error.rawValue).")
      return .notHandled(error)
    }
    guard link.version != nil else {
      return endPreview(of: link.id) ? .ended(link.id) : .notHandled(.badContainerID)
    }
    environment.log(.info, "\(link.id) A preview starts.")
    environment.traces.end()
    if let old = environment.previews.start(link), old != link.id { container(old)?.loader.send(.previewEnded) }
    container(link.id)?.loader.send(.previewStarted)
    return .started(link.id)
  }

  /// Whether the URL started or ended a preview; see `preview(_:)`.
  @discardableResult
  public func previewWithURL(_ url: URL) -> Bool {
    if case .notHandled = preview(url) { false } else { true }
  }

  /// Ends the preview, if there is one; its container goes back to what is published.
  public func endPreview() {
    if let link = environment.previews.link { endPreview(of: link.id) }
  }

  @discardableResult
  private func endPreview(of id: ContainerID) -> Bool {
    guard environment.previews.end(id) else { return false }
    environment.traces.end()
    environment.log(.info, "\(id) The preview is over.")
    container(id)?.loader.send(.previewEnded)
    return true
  }
}
