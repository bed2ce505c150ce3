/// An answer, decompressed.
public struct HTTPResponse: Sendable, Hashable {
  /// The status code.
  public var status: Int
  /// The fields of the last hop.
  public var headers: HTTPHeaders
  /// The body after decompression.
  public var body: [UInt8]
  /// The URL that answered, after redirects.
  public var url: String
  /// Bytes of the request's body on the wire.
  public var bytesSent: Int

  /// Makes an answer.
  public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], url: String = "", bytesSent: Int = 0) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.bytesSent = bytesSent
  }
}
