/// What an adapter can show beside and over media; pages need a host of their own (VA-1404).
public struct RenderableResources: Sendable, Hashable {
  /// Whether images are shown.
  public var images: Bool
  /// Whether markup and frames are shown, in an isolated page.
  public var pages: Bool

  /// Makes a set; images alone unless said otherwise.
  public init(images: Bool = true, pages: Bool = false) {
    self.images = images
    self.pages = pages
  }

  /// The resource to show: a static one, else markup, else a frame; nil when none can be.
  func best(of resources: [VAST.Resource]) -> VAST.Resource? {
    let image = resources.first { resource in
      guard images, case .file(let url, let type) = resource, Self.isImage(url, type) else { return false }
      return AdURL.isFetchable(url)
    }
    if let image { return image }
    guard pages else { return nil }
    let markup = resources.first { if case .html = $0 { true } else { false } }
    return markup
      ?? resources.first { if case .frame(let url) = $0 { AdURL.isFetchable(url) } else { false } }
  }

  /// The URL of the image to show; nil when there is none (VA-860).
  package func imageURL(of resources: [VAST.Resource]) -> String? {
    guard case .file(let url, _)? = best(of: resources) else { return nil }
    return url
  }

  private static func isImage(_ url: String, _ type: String?) -> Bool {
    if let type { return type.hasPrefix("image/") }
    let path = URLReference(url).path.lowercased()
    return ["png", "jpg", "jpeg", "gif", "webp"].contains { path.hasSuffix("." + $0) }
  }
}
