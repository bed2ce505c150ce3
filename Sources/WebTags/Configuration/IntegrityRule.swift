public import Foundation

/// Which contents of the page and its scripts are accepted (WT-830).
public struct IntegrityRule: Sendable, Equatable {
  /// What becomes of scripts of the page's host that have no pin.
  public enum Unpinned: Sendable, Hashable {
    case allow
    case deny
  }

  /// The accepted hash by URL.
  public var pins: [URL: IntegrityHash]
  /// What becomes of the rest.
  public var unpinned: Unpinned

  /// Makes a rule; without arguments, everything is accepted.
  public init(pins: [URL: IntegrityHash] = [:], unpinned: Unpinned = .allow) {
    self.pins = pins
    self.unpinned = unpinned
  }
}

/// A hash of a content, as subresource integrity writes it.
public struct IntegrityHash: Sendable, Hashable {
  /// The hash function.
  public enum Algorithm: String, Sendable, Hashable {
    case sha256
    case sha384
    case sha512

    var length: Int {
      switch self {
      case .sha256: 32
      case .sha384: 48
      case .sha512: 64
      }
    }
  }

  /// The hash function.
  public let algorithm: Algorithm
  /// Its value.
  public let bytes: [UInt8]

  /// Reads `sha256-`, `sha384-` or `sha512-` and base64; nil when it is none of these.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", maxSplits: 1)
    guard parts.count == 2, let algorithm = Algorithm(rawValue: String(parts[0])),
      let bytes = Data(base64Encoded: String(parts[1])), bytes.count == algorithm.length
    else { return nil }
    self.algorithm = algorithm
    self.bytes = Array(bytes)
  }

  /// The hash as the attribute `integrity` has it.
  public var attribute: String { algorithm.rawValue + "-" + Data(bytes).base64EncodedString() }
}
