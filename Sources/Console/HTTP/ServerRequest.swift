package import Hits

/// A request that has arrived whole.
package struct ServerRequest: Sendable {
  /// The method, such as `POST`.
  package var method: String
  /// The path as on the request line, without the query.
  package var path: String
  /// The bytes after the first `?`, as they came.
  package var query: [UInt8]
  /// The fields of the head.
  package var headers: HTTPHeaders
  /// The body.
  package var body: [UInt8]
  /// Who sent it.
  package var client: ClientAddress
  /// The segments of the path that stand for the names of its route.
  package var parameters: [String: String] = [:]

  package init(
    method: String, path: String, query: [UInt8] = [], headers: HTTPHeaders = [:], body: [UInt8] = [],
    client: ClientAddress = .none
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.client = client
  }
}
