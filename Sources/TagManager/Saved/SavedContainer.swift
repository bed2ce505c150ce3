/// A fetched container as it is kept on disk: the answer's body, and what is known about it (TM-211).
struct SavedContainer: Sendable, Hashable {
  /// What is known about a body.
  struct Header: Sendable, Hashable {
    var id: String
    var environment = "live"
    var form = Form.json
    /// When a server last said that it is the newest, in milliseconds since 1970 UTC.
    var fetchedAt: Int64 = 0
    var etag: String?
    var fingerprint: String?
    var version = ""
    var sequence: Int64?
    var publishedAt: Int64?
    /// Scheme and host of the server.
    var origin: String?
    /// The signature in base64, and the name of its key.
    var signature: String?
    var keyID: String?
    /// The SHA-256 of the default container's bytes when this was saved, in hexadecimal; nil when there was none.
    var defaultDigest: String?
    /// The version of the program that wrote the file.
    var sdk: String?
  }

  /// How the body is to be read.
  enum Form: String, Sendable, Hashable {
    case binary
    case supplemented
    case json
  }

  var header: Header
  /// The body exactly as it came, content encoding undone.
  var payload: [UInt8]
}
