import DurableStore

/// Why a queue cannot be opened or asked (HQ-800).
public struct HitQueueError: Error, Sendable {
  /// What went wrong: an open set.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name, as it is printed.
    public let rawValue: String

    /// Makes a code of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The directory or its files cannot be made, read or written.
    public static let storeUnavailable = Code(rawValue: "storeUnavailable")
    /// The directory or a file in it is a symbolic link, or belongs to somebody else.
    public static let insecureStore = Code(rawValue: "insecureStore")
    /// The SQLite library is older than 3.24.0.
    public static let sqliteTooOld = Code(rawValue: "sqliteTooOld")
    /// The store failed.
    public static let ioError = Code(rawValue: "ioError")
    /// The queue was closed.
    public static let closed = Code(rawValue: "closed")
    /// A setting has no meaning.
    public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
  }

  /// What went wrong.
  public var code: Code
  /// A sentence with the place and the system's code.
  public var message: String
  /// What the store said.
  public var cause: (any Error)?

  /// Makes an error.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// Whether the store's file is damaged, or no store at all.
  package var isDamage: Bool {
    guard let error = cause as? StoreError else { return false }
    return error.code == .damaged || error.code == .foreign
  }

  init(_ error: StoreError) {
    let code: Code =
      switch error.code {
      case .insecure: .insecureStore
      case .sqliteTooOld: .sqliteTooOld
      case .cannotOpen, .readOnly: .storeUnavailable
      case .closed: .closed
      default: .ioError
      }
    self.init(code, error.message, cause: error)
  }
}
