import Foundation
import Hits
import Testing

@testable import WebTags

/// The rules are run here as WebKit runs them; that WebKit does so too is shown by the tests of its host.
@Suite("Content rules") struct ContentRulesTests {
  private func blocks(_ url: String, _ policy: NetworkPolicy, as type: Value = "image") throws -> Bool {
    var isBlocked = false
    for rule in try Value(json: ContentRules.json(for: policy, commandScheme: "tealium")).list ?? [] {
      let filter = try #require(rule.map?["trigger"]?.map?["url-filter"]?.string)
      let action = try #require(rule.map?["action"]?.map?["type"]?.string)
      if let types = rule.map?["trigger"]?.map?["resource-type"]?.list, !types.contains(type) { continue }
      guard url.range(of: filter, options: [.regularExpression, .caseInsensitive]) != nil else { continue }
      isBlocked = action == "block"
    }
    return isBlocked
  }

  @Test(
    "WT-810: without a list any host is reached over https and wss, and nothing over anything else",
    arguments: [
      ("https://a.example/x", false), ("wss://a.example:8443/x", false), ("HTTPS://A.EXAMPLE/", false),
      ("http://a.example/", true), ("ws://a.example/", true), ("ftp://a.example/", true), ("file:///etc/passwd", true),
      ("blob:https://a.example/1", false), ("about:blank", false), ("tealium://command", false),
      ("https://user@a.example/", true), ("https://user:word@a.example/", true), ("https://a.example/@x?y=@#@", false),
      ("tealiumx://a", true), ("gopher://a.example/", true),
    ])
  func open(url: String, isBlocked: Bool) throws {
    #expect(try blocks(url, .open) == isBlocked)
  }

  @Test(
    "WT-811: literals of private ranges are blocked unless they are listed",
    arguments: [
      "127.0.0.1", "127.255.0.1:8443", "localhost", "a.localhost", "localhost.", "[::1]", "0.0.0.0", "10.0.0.1",
      "100.64.0.1", "100.99.0.1", "100.127.1.1", "169.254.169.254", "172.16.0.1", "172.25.0.1", "172.31.255.255",
      "192.168.1.1", "192.0.0.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "[::]", "[fc00::1]", "[fd12::1]",
      "[fe80::1]", "[ff02::1]", "[::ffff:7f00:1]", "[64:ff9b::a00:1]", "[2002:a00:1::]",
    ])
  func privateRanges(host: String) throws {
    let url = "https://\(host)/"
    #expect(try blocks(url, .open))
    #expect(try blocks(url, NetworkPolicy(allowed: ["*.example", "a.example"])))
    let bare = host.hasSuffix(":8443") ? String(host.dropLast(5)) : host
    #expect(try !blocks(url, NetworkPolicy(allowed: [HostPattern(bare)])))
  }

  @Test(
    "WT-811: addresses and names beside them are not",
    arguments: [
      "128.0.0.1", "11.0.0.1", "100.63.0.1", "100.128.0.1", "169.253.0.1", "172.15.0.1", "172.32.0.1", "192.169.0.1",
      "198.20.0.1", "223.255.255.255", "8.8.8.8", "[2001:4860:4860::8888]", "127.0.0.1.example", "10.example",
      "notlocalhost", "localhost.example", "mylocalhost.example",
    ])
  func publicRanges(host: String) throws {
    #expect(try !blocks("https://\(host)/", .open))
  }

  @Test(
    "WT-810: a list is compared label by label",
    arguments: [
      ("https://cdn.example/", false), ("https://cdn.example:444/a", false), ("https://a.cdn.example/", true),
      ("https://a.tags.example/", false), ("https://b.a.tags.example/", false), ("https://tags.example/", true),
      ("https://xtags.example/", true), ("https://cdn.example.evil.example/", true), ("https://cdnxexample/", true),
      ("https://evil.example/cdn.example/", true), ("https://evil.example/?https://cdn.example/", true),
      ("https://cdn.example@evil.example/", true), ("https://cdn.example:1@evil.example/", true),
      ("http://cdn.example/", true),
    ])
  func list(url: String, isBlocked: Bool) throws {
    #expect(try blocks(url, .allow(["cdn.example", "*.tags.example"])) == isBlocked)
  }

  @Test(
    "WT-810: blocked hosts win over the list, with a dot at their end too",
    arguments: ["https://bad.tags.example/", "https://bad.tags.example./", "https://bad.tags.example:444/"])
  func blocked(url: String) throws {
    #expect(try blocks(url, NetworkPolicy(blocked: ["bad.tags.example"])))
    #expect(try blocks(url, NetworkPolicy(allowed: ["*.tags.example"], blocked: ["*.tags.example"])))
    let policy = NetworkPolicy(blocked: ["*.tags.example"])
    #expect(!policy.allows(url))
  }

  @Test("WT-810: allowInsecure opens loopback alone, where there is a list to what it holds of it")
  func insecure() throws {
    let open = NetworkPolicy(allowInsecure: true)
    for host in ["127.0.0.1:8080", "localhost:1", "[::1]:80", "x.localhost"] {
      for scheme in ["http", "https", "ws", "wss"] { #expect(try !blocks("\(scheme)://\(host)/", open)) }
    }
    #expect(try blocks("http://a.example/", open))
    #expect(try blocks("http://10.0.0.1/", open))
    let listed = NetworkPolicy(allowed: ["localhost", "a.example"], allowInsecure: true)
    #expect(try !blocks("http://localhost:8080/", listed))
    #expect(try blocks("http://127.0.0.1:8080/", listed))
    #expect(try blocks("http://a.example/", listed))
    #expect(listed.allows("http://localhost:8080/x") && !listed.allows("http://127.0.0.1/"))
  }

  @Test("WT-830: of a host that gives only pinned scripts, other scripts are blocked, and nothing else")
  func scripts() throws {
    var policy = NetworkPolicy.open
    policy.scripts = .init(host: "tags.example", allowed: ["https://tags.example/utag.js?v=1"])
    #expect(try !blocks("https://tags.example/utag.js?v=1", policy, as: "script"))
    for url in [
      "https://tags.example/other.js", "https://tags.example/utag.js?v=12", "https://tags.example./utag.js",
      "https://tags.example:444/utag.js?v=1", "https://tags.example/utagxjs?v=1",
    ] {
      #expect(try blocks(url, policy, as: "script"), "\(url)")
      #expect(try !blocks(url, policy), "\(url)")
    }
    #expect(try !blocks("https://vendor.example/other.js", policy, as: "script"))
    // A pin lets nothing through that the policy stops.
    policy.blocked = ["tags.example"]
    #expect(try blocks("https://tags.example/utag.js?v=1", policy, as: "script"))
  }

  @Test(
    "WT-810: no host that an app lists can break out of a rule", arguments: ["a.*", ".*", "a|b", "(", "[", "a\\", "^$"])
  func escaping(host: String) throws {
    let policy = NetworkPolicy.allow([HostPattern(host)])
    #expect(try blocks("https://evil.example/", policy))
    #expect(try blocks("https://b/", policy))
  }
}
