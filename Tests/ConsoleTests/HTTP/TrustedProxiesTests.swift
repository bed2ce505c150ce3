import Hits
import Testing

@testable import Console

@Suite("Trusted proxies") struct TrustedProxiesTests {
  static let cases: [(proxies: [String], connection: String, forwarded: [String], client: String)] = [
    ([], "203.0.113.1", ["198.51.100.1"], "203.0.113.1"),
    (["10.0.0.0/8"], "203.0.113.1", ["198.51.100.1"], "203.0.113.1"),
    (["10.0.0.0/8"], "10.1.2.3", ["198.51.100.1"], "198.51.100.1"),
    (["10.0.0.0/8"], "10.1.2.3", [], "10.1.2.3"),
    // What the client wrote itself stands before what the proxies added.
    (["10.0.0.0/8"], "10.1.2.3", ["1.1.1.1, 198.51.100.1"], "198.51.100.1"),
    (["10.0.0.0/8"], "10.1.2.3", ["1.1.1.1, 198.51.100.1,\t10.9.9.9"], "198.51.100.1"),
    (["10.0.0.0/8"], "10.1.2.3", ["198.51.100.1", "10.9.9.9"], "198.51.100.1"),
    (["10.0.0.0/8"], "10.1.2.3", ["10.7.7.7, 10.9.9.9"], "10.7.7.7"),
    // What is no address ends the chain: who stands behind it is not known.
    (["10.0.0.0/8"], "10.1.2.3", ["198.51.100.1, unknown"], "10.1.2.3"),
    (["10.0.0.0/8"], "10.1.2.3", ["198.51.100.1, nonsense, 10.4.4.4"], "10.4.4.4"),
    (["10.0.0.0/8"], "10.1.2.3", [",,, ,"], "10.1.2.3"),
    (["::1"], "::1", ["198.51.100.1:4711"], "198.51.100.1"), (["::1"], "::1", ["[2001:db8::7]:80"], "2001:db8::7"),
    (["2001:db8::/33"], "2001:db8:7fff::1", ["198.51.100.1"], "198.51.100.1"),
    (["2001:db8::/33"], "2001:db8:8000::1", ["198.51.100.1"], "2001:db8:8000::1"),
    (["0.0.0.0/0"], "::1", ["198.51.100.1"], "::1"), (["0.0.0.0/0"], "10.1.2.3", ["198.51.100.1"], "198.51.100.1"),
    (["192.0.2.7"], "::ffff:192.0.2.7", ["198.51.100.1"], "198.51.100.1"),
  ]

  @Test("CO-102: a proxy is believed whose request it brings, anybody else is not", arguments: cases)
  func client(proxies: [String], connection: String, forwarded: [String], client: String) throws {
    let trusted = TrustedProxies(try proxies.map { try #require(AddressBlock($0)) })
    var headers = HTTPHeaders()
    for value in forwarded { headers.add(value, for: "X-Forwarded-For") }
    #expect(trusted.client(of: try #require(ClientAddress(connection)), headers).text == client)
  }

  @Test(
    "what is no block of addresses is told",
    arguments: [
      "", "/", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/8/8", "proxy.example", "10.0.0/8",
    ])
  func noBlock(text: String) { #expect(AddressBlock(text) == nil) }

  @Test("a chain longer than any is not followed to its end")
  func longChain() throws {
    let trusted = TrustedProxies([try #require(AddressBlock("10.0.0.0/8"))])
    let chain = "198.51.100.1" + String(repeating: ",10.0.0.1", count: 5000)
    let client = trusted.client(of: try #require(ClientAddress("10.0.0.2")), ["X-Forwarded-For": chain])
    #expect(client.text == "10.0.0.1")
  }
}
