import Hits

/// Fetches the images of icons and companions, within limits (VA-1404).
struct ImageFetch: Sendable {
  private static let limit = 2 << 20

  let transport: any HTTPTransport

  /// The bytes of an image that may be decoded; nil for anything else.
  func image(_ url: String) async -> [UInt8]? {
    let request = HTTPRequest(
      url: url, timeout: .seconds(8), redirects: .follow(5), responseLimit: Self.limit)
    // What does not come is told by its absence (VA-861).
    guard let response = try? await transport.send(request), response.status == 200,
      ImageSize(of: response.body)?.isAcceptable == true
    else { return nil }
    return response.body
  }
}
