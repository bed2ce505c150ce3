/// The values that VAST documents of every version are read into; those of playlists are in `VMAP` (VA-300).
///
/// URLs are kept as they stand in the document, trimmed; macros and repairs come when they are used (VA-202, VA-203).
/// Times are whole milliseconds. What a document leaves out, or states unreadably, is nil.
public enum VAST {
  /// One VAST document.
  public struct Document: Sendable, Hashable, Codable {
    /// The version it states.
    public var version: String?
    /// Its ads in document order, those included that cannot be used.
    public var ads: [Ad] = []
    /// Where to report that there is no ad: the URLs of `Error` below the root.
    public var errors: [String] = []

    /// Makes an empty document.
    public init(version: String? = nil) { self.version = version }
  }

  /// A document of which nothing can be used.
  public struct Failure: Error, Sendable, Hashable, Codable {
    /// Why.
    public var code: VASTErrorCode
    /// Where the document itself asks to report it.
    public var errors: [String]

    /// Makes a failure.
    public init(_ code: VASTErrorCode, errors: [String] = []) {
      self.code = code
      self.errors = errors
    }
  }

  /// A URL, with the id its document gives it.
  public struct Link: Sendable, Hashable, Codable {
    /// The URL as written, trimmed.
    public var url: String
    /// Its id.
    public var id: String?

    /// Makes a link.
    public init(_ url: String, id: String? = nil) {
      self.url = url
      self.id = id
    }
  }
}
