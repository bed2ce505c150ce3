import Testing

@testable import HTTPClient

@Suite("Address ranges") struct AddressRangeTests {
  @Test(
    "WT-520: private, loopback, link-local and multicast addresses are told from public ones",
    arguments: [
      ("127.0.0.1", true), ("127.255.255.255", true), ("128.0.0.1", false), ("0.0.0.0", true), ("10.0.0.1", true),
      ("11.0.0.1", false), ("172.15.255.255", false), ("172.16.0.0", true), ("172.31.255.255", true),
      ("172.32.0.0", false), ("192.168.0.1", true), ("192.169.0.1", false), ("169.254.169.254", true),
      ("100.64.0.1", true), ("100.128.0.1", false), ("198.18.0.1", true), ("224.0.0.1", true),
      ("255.255.255.255", true), ("8.8.8.8", false), ("223.255.255.255", false), ("::1", true), ("::", true),
      ("fe80::1", true), ("febf::1", true), ("fc00::1", true), ("fdff::1", true), ("ff02::1", true),
      ("2001:4860:4860::8888", false), ("::ffff:127.0.0.1", true), ("::ffff:8.8.8.8", false), ("::127.0.0.1", true),
      ("64:ff9b::7f00:1", true), ("64:ff9b::808:808", false), ("2002:7f00:1::", true), ("2002:808:808::", false),
      ("not an address", true), ("", true),
    ])
  func ranges(text: String, isPrivate: Bool) {
    #expect(AddressRange.isPrivate(text) == isPrivate)
  }
}
