package import TagManager

/// A place where versions are live; all but `live` ask for a token (CO-400).
package struct ContainerEnvironment: Sendable, Hashable {
  package static let liveName = "live"

  package var container: ContainerID
  /// Counts the environments of a container, from 1, which is `live`; links name it as `env-2` (TM-1001).
  package var number: Int
  package var name: String
  /// The token that lets apps in; nil for `live`.
  package var digest: SecretDigest?
  /// Wall milliseconds.
  package var created: Int64

  package init(container: ContainerID, number: Int, name: String, digest: SecretDigest?, created: Int64) {
    self.container = container
    self.number = number
    self.name = name
    self.digest = digest
    self.created = created
  }

  /// Whether a text can be the name of one: up to 64 letters, digits, `_`, `-` and `.`, but none begins with a dot: a
  /// name is a segment of paths, where `.` and `..` mean something else.
  package static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && !text.hasPrefix(".")
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }
}
