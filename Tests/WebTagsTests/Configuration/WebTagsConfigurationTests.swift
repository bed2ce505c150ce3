import Foundation
import Hits
import Testing

@testable import WebTags

@Suite struct WebTagsConfigurationTests {
  private func configuration(_ change: (inout WebTagsConfiguration) -> Void = { _ in }) -> WebTagsConfiguration {
    var configuration = WebTagsConfiguration(account: "acme", profile: "main", environment: "prod")
    change(&configuration)
    return configuration
  }

  private func field(_ configuration: WebTagsConfiguration) -> String? {
    do {
      try configuration.validate()
      return nil
    } catch {
      #expect(error.code == .invalidConfiguration)
      return error.subject
    }
  }

  @Test(
    "WT-101: names are 1 to 64 of letters, digits, dot, underscore and hyphen, and no folder's own name",
    arguments: [
      ("companyXYZ", true), ("main", true), ("a.b_c-1", true), (String(repeating: "a", count: 64), true), ("", false),
      (".", false), ("..", false), ("a/b", false), ("a b", false), ("ä", false), ("a'b", false),
      (String(repeating: "a", count: 65), false), ("a\n", false), ("a%2F", false),
    ])
  func names(text: String, isValid: Bool) {
    #expect(field(configuration { $0.account = text }) == (isValid ? nil : "account"))
    #expect(field(configuration { $0.profile = text }) == (isValid ? nil : "profile"))
    #expect(field(configuration { $0.environment = text }) == (isValid ? nil : "environment"))
    #expect(field(configuration { $0.dataSource = text }) == (isValid || text.isEmpty ? nil : "dataSource"))
  }

  @Test(
    "WT-103: overrides are absolute https URLs, http only to loopback hosts or where it is allowed",
    arguments: [
      ("https://a.example/m.html", false, true), ("http://127.0.0.1:80/m.html", false, true),
      ("http://localhost/m.html", false, true), ("http://a.example/m.html", false, false),
      ("http://a.example/m.html", true, true), ("m.html", false, false), ("file:///etc/passwd", true, false),
      ("javascript:alert(1)", true, false), ("https://user@a.example/", false, false),
    ])
  func overrides(text: String, allowInsecure: Bool, isValid: Bool) throws {
    let url = try #require(URL(string: text))
    #expect(
      field(
        configuration {
          $0.pageURL = url
          $0.network.allowInsecure = allowInsecure
        }) == (isValid ? nil : "pageURL"))
    #expect(
      field(
        configuration {
          $0.settingsURL = url
          $0.network.allowInsecure = allowInsecure
        }) == (isValid ? nil : "settingsURL"))
  }

  @Test(
    "WT-203: the base of a bundled page is an https URL with a host",
    arguments: [
      ("https://a.example/", true), ("file:///a.html", false), ("app://a/", false), ("about:blank", false),
    ])
  func bundledBase(text: String, isValid: Bool) throws {
    let base = try #require(URL(string: text))
    #expect(
      field(configuration { $0.pageMode = .bundled(html: "<p>", base: base) }) == (isValid ? nil : "pageMode"))
  }

  @Test("WT-830: a pinned script needs a page that is made here")
  func pins() throws {
    let hash = try #require(IntegrityHash("sha256-" + Data(repeating: 1, count: 32).base64EncodedString()))
    let script = try #require(URL(string: "https://tags.tiqcdn.com/utag/acme/main/prod/utag.js"))
    let page = try #require(URL(string: "https://tags.tiqcdn.com/utag/acme/main/prod/mobile.html"))
    #expect(field(configuration { $0.integrity.pins = [script: hash] }) == "integrity")
    #expect(field(configuration { $0.integrity.pins = [page: hash] }) == nil)
    #expect(
      field(
        configuration {
          $0.integrity.pins = [script: hash]
          $0.pageMode = .generated
        }) == nil)
  }

  @Test("WT-830: where only pinned scripts run, the universal tag's own must be")
  func unpinned() throws {
    let hash = try #require(IntegrityHash("sha256-" + Data(repeating: 1, count: 32).base64EncodedString()))
    let script = try #require(URL(string: "https://tags.tiqcdn.com/utag/acme/main/prod/utag.js"))
    for (pins, expected) in [([:], "integrity"), ([script: hash], nil)] as [([URL: IntegrityHash], String?)] {
      let refused = field(
        configuration {
          $0.integrity = IntegrityRule(pins: pins, unpinned: .deny)
          $0.pageMode = .generated
        })
      #expect(refused == expected)
    }
  }

  @Test(
    "WT-830: a hash is one of three algorithms with its length", arguments: ["md5-AAAA", "sha256-AAAA", "sha256", ""])
  func badHash(text: String) {
    #expect(IntegrityHash(text) == nil)
  }

  @Test("WT-104, WT-111: equality is that of the fields, without providers and closures")
  func equality() {
    struct Provider: QueryParameterProvider {
      func queryItems() async throws -> [URLQueryItem] { [] }
    }
    #expect(configuration() == configuration { $0.queryProviders = [Provider()] })
    #expect(configuration() == configuration { $0.redact = { $0 } })
    #expect(configuration() != configuration { $0.sessionCounting = false })
    #expect(configuration().instanceID == "acme-main-prod")
  }

  @Test(
    "WT-112: a folder's name has bytes outside a-z, 0-9, underscore and hyphen as percent and hex",
    arguments: [
      ("main", "main"), ("Main", "%4Dain"), ("a/b", "a%2Fb"), ("..", "%2E%2E"), ("ä", "%C3%A4"), ("a b", "a%20b"),
    ])
  func folder(key: String, name: String) {
    #expect(InstanceFolder.name(of: key) == name)
  }

  @Test("WT-111: keys have 1 to 128 bytes")
  func keys() {
    #expect(InstanceFolder.isKey("a"))
    #expect(InstanceFolder.isKey(String(repeating: "ä", count: 64)))
    #expect(!InstanceFolder.isKey(""))
    #expect(!InstanceFolder.isKey(String(repeating: "ä", count: 65)))
  }

  @Test(
    "WT-602: the ids and names of universal tags are checked",
    arguments: [
      (UniversalTag.gtm("GTM-ABC123"), true), (.gtm("GTM-abc"), false), (.gtm("G-ABC"), false), (.gtm("GTM-"), false),
      (.gtm("GTM-A", dataLayer: "a.b"), false), (.gtm("GTM-A", dataLayer: "x\";alert(1)//"), false),
      (.gtag("G-ABC-1"), true), (.gtag("AW-1"), true), (.gtag("X-1"), false), (.gtag("G-a'"), false),
      (.segment(key: "abc123"), true), (.segment(key: "a/b"), false), (.segment(key: "abc", host: "a/b"), false),
    ])
  func universalTags(tag: UniversalTag, isValid: Bool) {
    #expect(
      field(
        configuration {
          $0.universalTag = tag
          $0.pageMode = .generated
        }) == (isValid ? nil : "universalTag"))
  }

  @Test(
    "WT-601: a Matomo container's file has its form",
    arguments: [
      ("container_AbCd1234.js", true), ("container_AbCd1234_preview.js", true),
      ("container_AbCd1234_dev_0123456789abcdef01234567.js", true), ("container_short.js", false),
      ("container_AbCd1234_dev_xyz.js", false), ("matomo.js", false),
    ])
  func matomo(file: String, isValid: Bool) throws {
    let url = try #require(URL(string: "https://m.example/js/" + file))
    #expect(
      field(
        configuration {
          $0.universalTag = .matomo(url)
          $0.pageMode = .generated
        }) == (isValid ? nil : "universalTag"))
  }

  @Test("A scheme of the web cannot be that of commands", arguments: ["https", "javascript", "Tealium", "", "a b"])
  func scheme(text: String) {
    #expect(field(configuration { $0.commandScheme = text }) == "commandScheme")
  }
}
