import Foundation
import Hits

/// The folder of an instance, by its key (WT-111, WT-112).
enum InstanceFolder {
  /// Whether a key may be used: 1 to 128 bytes.
  static func isKey(_ key: String) -> Bool { (1...128).contains(key.utf8.count) }

  /// The folder's name: bytes outside `[a-z0-9_-]` as `%XX`, upper-case letters too, so that keys that differ in case do
  /// not meet on disks that ignore it.
  static func name(of key: String) -> String {
    var name: [UInt8] = []
    for byte in key.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"),
        UInt8(ascii: "-"):
        name.append(byte)
      default: name += [UInt8(ascii: "%"), HexDigits.upper(byte >> 4), HexDigits.upper(byte & 15)]
      }
    }
    return String(decoding: name, as: UTF8.self)
  }

  static func url(of key: String, below root: URL) -> URL {
    root.appendingPathComponent(name(of: key), isDirectory: true)
  }
}
