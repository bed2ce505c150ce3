import Digests
import Hits

/// The style sheet and scripts of the pages, under names that change with their content: browsers keep them for a year.
struct AssetShelf: Sendable {
  private struct Asset: Sendable {
    var name: String
    var type: String
    var body: [UInt8]
  }

  let style: PageAddress
  let console: PageAddress
  let live: PageAddress
  private let assets: [Asset]

  static let own = AssetShelf()

  private init() {
    func asset(_ name: String, _ ending: String, _ type: String, _ body: [UInt8]) -> Asset {
      let digest = HexDigits.text(of: Digest.sha256(body).prefix(8))
      return Asset(name: "\(name)-\(digest).\(ending)", type: type, body: body)
    }
    assets = [
      asset("console", "css", "text/css; charset=utf-8", PackageResources.console_css),
      asset("console", "js", "text/javascript; charset=utf-8", PackageResources.console_js),
      asset("live", "js", "text/javascript; charset=utf-8", PackageResources.live_js),
    ]
    style = PageAddress("assets", assets[0].name)
    console = PageAddress("assets", assets[1].name)
    live = PageAddress("assets", assets[2].name)
  }

  var routes: [Route] {
    assets.map { asset in
      .reading(PageAddress("assets", asset.name).text) { _ in
        ServerResponse(
          status: 200,
          headers: [
            "Content-Type": asset.type, "Cache-Control": "public, max-age=31536000, immutable",
            "X-Content-Type-Options": "nosniff",
          ], body: asset.body)
      }
    }
  }
}
