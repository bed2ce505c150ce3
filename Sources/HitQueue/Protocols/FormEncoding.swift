import Hits

/// The bytes of form-encoded fields, as the store keeps them and Measurement Protocol v1 sends them (HQ-611).
///
///     line = name "=" value *( "&" name "=" value )     UTF-8; all but A-Z a-z 0-9 - . _ ~ as %XX
package enum FormEncoding {
  /// Appends one field, after `&` unless it is the first.
  package static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
    if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
    URIEscape.hit.append(name, to: &bytes)
    bytes.append(UInt8(ascii: "="))
    URIEscape.hit.append(value, to: &bytes)
  }

  /// Fields in the byte order of their names.
  package static func encode(sorted fields: [String: String]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (name, value) in fields.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      append(name, value, to: &bytes)
    }
    return bytes
  }
}
