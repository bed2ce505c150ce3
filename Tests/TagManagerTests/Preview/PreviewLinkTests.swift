import Hits
import Testing

@testable import TagManager

@Suite("Preview links")
struct PreviewLinkTests {
  private static let appID = "org.Example.app"
  private static let server = WebURL("https://tags.example.com")

  private static func read(_ text: String) -> Result<PreviewLink, PreviewRefusal> {
    Result { () throws(PreviewRefusal) in try PreviewLink.read(text, appID: appID, server: server) }
  }

  @Test(
    "G1, TM-1000: links that start a preview: parameters in any order, scheme without case, unknown ones ignored",
    arguments: [
      "tagmanager.c.org.example.app://preview/p?id=GTM-X&gtm_auth=a-b_C&gtm_preview=12",
      "TagManager.C.org.example.APP://preview/p?gtm_preview=12&gtm_debug=x&gtm_auth=a-b_C&id=GTM-X",
      "https://tags.example.com/preview/p?gtm_auth=a-b_C&id=GTM%2DX&gtm_preview=12#top",
    ])
  func starts(text: String) {
    #expect(Self.read(text) == .success(PreviewLink(id: "GTM-X", token: "a-b_C", version: "12")))
  }

  @Test("TM-1000: the exit form needs no token")
  func ends() {
    #expect(
      Self.read("tagmanager.c.org.example.app://preview/p?id=GTM-X&gtm_preview=")
        == .success(PreviewLink(id: "GTM-X", token: "", version: nil)))
  }

  @Test(
    "G1, TM-1001, TM-1002: what is no link of ours, and why",
    arguments: [
      ("myapp://x", PreviewRefusal.otherScheme), ("", .otherScheme),
      ("http://tags.example.com/preview/p?id=GTM-X", .otherScheme),
      ("tagmanager.c.org.example.app://preview/q?id=GTM-X", .otherPath), ("https://tags.example.com/other", .otherPath),
      ("tagmanager.c.org.example.other://preview/p?id=GTM-X&gtm_auth=a&gtm_preview=1", .wrongApp),
      ("https://other.example.com/preview/p?id=GTM-X&gtm_auth=a&gtm_preview=1", .wrongHost),
      ("tagmanager.c.org.example.app://preview/p?gtm_auth=a&gtm_preview=1", .badContainerID),
      ("tagmanager.c.org.example.app://preview/p?id=..%2Fx&gtm_auth=a&gtm_preview=1", .badContainerID),
      ("tagmanager.c.org.example.app://preview/p?id=GTM-X&gtm_preview=1", .missingToken),
      ("tagmanager.c.org.example.app://preview/p?id=GTM-X&gtm_auth=a%20b&gtm_preview=1", .missingToken),
      (
        "tagmanager.c.org.example.app://preview/p?id=GTM-X&gtm_auth=\(String(repeating: "a", count: 129))&gtm_preview=1",
        .missingToken
      ),
      ("tagmanager.c.org.example.app://preview/p?id=GTM-X&gtm_auth=a", .badVersion),
      ("tagmanager.c.org.example.app://preview/p?id=GTM-X&gtm_auth=a&gtm_preview=1234567890", .badVersion),
      ("tagmanager.c.org.example.app://preview/p?id=GTM-X&gtm_auth=a&gtm_preview=env-", .badVersion),
      ("tagmanager.c.org.example.app://preview/p?id=GTM-X&id=GTM-X&gtm_auth=a&gtm_preview=1", .duplicateParameter),
      ("tagmanager.c.org.example.app://preview/p?id=GTM-X&%69d=GTM-X&gtm_auth=a&gtm_preview=1", .duplicateParameter),
      (
        "tagmanager.c.org.example.app://preview/p?id=GTM-X&gtm_auth=a&gtm_preview=1&x=\(String(repeating: "a", count: 2_048))",
        .otherScheme
      ),
    ])
  func refused(text: String, refusal: PreviewRefusal) {
    #expect(Self.read(text) == .failure(refusal))
  }

  @Test("TM-1001: versions are numbers, or environments' numbers")
  func versions() {
    for version in ["1", "123456789", "env-7"] {
      let link = "tagmanager.c.org.example.app://preview/p?id=GTM-X&gtm_auth=a&gtm_preview=\(version)"
      #expect(Self.read(link) == .success(PreviewLink(id: "GTM-X", token: "a", version: version)))
    }
  }
}
