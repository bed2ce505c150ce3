import Hits

/// Proxies that say whose request they bring: only their word for it counts (CO-102).
///
/// `X-Forwarded-For` is a list to which each proxy adds the address it was called from. It is read from its end: the first
/// address that is no trusted proxy is the client's; what stands before it anybody may have written.
public struct TrustedProxies: Sendable, Hashable {
  /// The addresses of the proxies.
  public var blocks: [AddressBlock]

  /// Makes a list of proxies.
  public init(_ blocks: [AddressBlock] = []) { self.blocks = blocks }

  /// Who a request is from.
  func client(of connection: ClientAddress, _ headers: HTTPHeaders) -> ClientAddress {
    guard isTrusted(connection) else { return connection }
    var client = connection
    let chain = headers.values(of: "X-Forwarded-For").flatMap { $0.split(separator: ",") }
    // Longer than any chain of proxies: somebody else wrote it.
    for text in chain.suffix(20).reversed() {
      guard let address = ClientAddress(forwarded: text) else { return client }
      client = address
      if !isTrusted(address) { break }
    }
    return client
  }

  private func isTrusted(_ address: ClientAddress) -> Bool { blocks.contains { $0.contains(address) } }
}

/// A block of addresses, such as `10.0.0.0/8` or `2001:db8::/32`, or a single one.
public struct AddressBlock: Sendable, Hashable {
  private let network: ClientAddress
  private let bits: Int

  /// Reads a block; nil for a text that is none.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let first = parts.first, let network = ClientAddress(first) else { return nil }
    let bits = parts.count == 2 ? Int(parts[1]) : network.bits
    guard let bits, 0...network.bits ~= bits else { return nil }
    self.network = network
    self.bits = bits
  }

  func contains(_ address: ClientAddress) -> Bool {
    address.bits == network.bits && address.prefix(bits: bits) == network.prefix(bits: bits)
  }
}
