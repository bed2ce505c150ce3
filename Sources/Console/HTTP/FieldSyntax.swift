/// What the fields of a head may be written in (RFC 9110, sections 5.5 and 5.6.2).
///
///     name  = 1*token-character
///     value = *( blank | tab | visible character | byte above 0x7F )
///
/// libmicrohttpd takes `Content-Length : 5` for a field of another name. A proxy that trims names sees a body there, where
/// this server would see the next request.
enum FieldSyntax {
  static func isName(_ bytes: some Collection<UInt8>) -> Bool { !bytes.isEmpty && bytes.allSatisfy(isTokenCharacter) }

  static func isValue(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }
  }

  /// Whether a name is that of the field that names a host.
  static func isHost(_ name: some Collection<UInt8>) -> Bool {
    name.count == 4 && zip(name, "host".utf8).allSatisfy { $0 | 0x20 == $1 }
  }

  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"),
      UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"),
      UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
