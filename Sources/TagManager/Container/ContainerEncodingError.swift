/// Why a container cannot be written in a form.
public struct ContainerEncodingError: Error, Sendable, Hashable {
  /// What is in the way.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The code's text.
    public let rawValue: String

    /// Makes a code of its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The form has no way to say something the container holds.
    public static let notExpressible = Code(rawValue: "notExpressible")
    /// The text or message would be larger than a decoder accepts.
    public static let tooLarge = Code(rawValue: "tooLarge")
  }

  /// What is in the way.
  public var code: Code
  /// A sentence that says what and where.
  public var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
