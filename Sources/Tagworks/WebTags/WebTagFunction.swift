import Hits
public import TagManager
import WebTags

/// The tag kind `webTag`: sends its event into the hidden page of an instance (WT-470).
///
/// - `title`: of the event; the name of the container's event unless given.
/// - `type`: `view`, `link` (unless given), or a type of the universal tag's own.
/// - `data`: a map.
/// - `instance`: the key of the instance; the only live one unless given.
/// - `tagIDs`: a list of the vendor tags that get the event.
public struct WebTagFunction: TagFunction {
  /// Makes the kind; it has no state of its own.
  public init() {}

  /// Tracks the event; what becomes of it is the instance's to tell.
  ///
  /// - Returns: `started`: the event has its way before it.
  /// - Throws: `TagFailure.other("noInstance")` where there is no such instance, or no single one.
  @discardableResult
  public func fire(_ call: TagCall) throws -> TagProgress {
    guard let manager = Self.instance(call["instance"].map { _ in call.text("instance") }) else {
      throw TagFailure.other("noInstance")
    }
    let kind: TagEvent.Kind =
      switch call.text("type") {
      case "", "link": .link
      case "view": .view
      case let type: .custom(type)
      }
    let title = call.text("title")
    let ids = call["tagIDs"]?.list?.map { $0.text(call.semantics) }
    manager.track(
      TagEvent(kind: kind, title: title.isEmpty ? call.event : title, data: call["data"]?.map ?? [:], tagIDs: ids))
    return .started
  }

  private static func instance(_ key: String?) -> WebTagManager? {
    if let key, !key.isEmpty { return WebTagManager.instance(forKey: key) }
    let keys = WebTagManager.instanceKeys
    return keys.count == 1 ? WebTagManager.instance(forKey: keys[0]) : nil
  }
}
