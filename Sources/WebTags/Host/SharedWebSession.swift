public import Foundation

/// Cookies, web storage and caches that several pages share while they live (WT-140, WT-143).
///
/// This is a name and a folder. The host makes the engine's session of it, one for all pages in a process.
public final class SharedWebSession: Sendable {
  /// The name that tells sessions apart, also between processes of an app.
  public let id: UUID
  /// Where it is kept; nil for memory.
  public let directory: URL?

  /// Names a session.
  ///
  /// - Parameter directory: a file URL, or nil for a session that ends with its last page.
  public init(directory: URL?) {
    id = UUID()
    self.directory = directory
  }
}

extension SharedWebSession: Hashable {
  /// Whether both are the same session.
  public static func == (left: SharedWebSession, right: SharedWebSession) -> Bool { left.id == right.id }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
