/// Numbers, times and types as ad documents write them (VA-311 to VA-318).
enum DocumentValue {
  private static let day: Int64 = 24 * 3_600_000

  /// A time in milliseconds, with whether its minutes or seconds count beyond 59; nil when unset (VA-311).
  ///
  ///     time = [[hours ":"] minutes ":"] seconds ["." fraction]      a lone number of seconds has any length
  static func time(_ text: String) -> (milliseconds: Int64, isUnusual: Bool)? {
    var parts: [Int64] = []
    var digits = 0
    var value: Int64 = 0
    var fraction: Int64 = 0
    var scale: Int64 = 0
    for byte in trimmed(text) {
      if ASCII.isDigit(byte) {
        let digit = Int64(byte - 48)
        if scale > 0 {
          scale /= 10
          fraction += digit * scale
          if scale == 0 { scale = 1 }
        } else {
          digits += 1
          value = value * 10 + digit
          guard digits <= 9 else { return nil }
        }
      } else if byte == UInt8(ascii: ":"), scale == 0, digits > 0, parts.count < 2 {
        guard digits <= 2 else { return nil }
        parts.append(value)
        (value, digits) = (0, 0)
      } else if byte == UInt8(ascii: "."), scale == 0, digits > 0 {
        scale = 1_000
      } else {
        return nil
      }
    }
    guard digits > 0, parts.isEmpty || digits <= 2 else { return nil }
    parts.append(value)
    let seconds = parts.reduce(0) { $0 * 60 + $1 }
    let milliseconds = seconds * 1_000 + fraction
    guard milliseconds <= day else { return nil }
    return (milliseconds, parts.dropFirst().contains { $0 > 59 })
  }

  /// A part of a whole, such as `12.5%`; nil for anything else and beyond 100 (VA-312).
  static func fraction(_ text: String) -> Double? {
    let bytes = trimmed(text)
    guard bytes.last == UInt8(ascii: "%") else { return nil }
    let number = trimmed(String(decoding: bytes.dropLast(), as: UTF8.self))
    guard let first = number.first, ASCII.isDigit(first),
      number.allSatisfy({ ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }),
      let percent = Double(String(decoding: number, as: UTF8.self)), percent <= 100
    else { return nil }
    return percent / 100
  }

  /// A whole number that is not negative; a `px` or a fraction behind it is cut off (VA-314).
  static func integer(_ text: String) -> Int? {
    let bytes = trimmed(text)
    let digits = bytes.prefix(while: ASCII.isDigit)
    guard !digits.isEmpty, digits.count <= 15 else { return nil }
    var rest = bytes[digits.endIndex...]
    if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst().drop(while: ASCII.isDigit) }
    let unit = trimmed(String(decoding: rest, as: UTF8.self)).map(ASCII.folded)
    guard unit.isEmpty || unit.elementsEqual("px".utf8) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  /// The first number of a version, the largest integer for one beyond all integers; nil when there is none (VA-301).
  static func major(_ version: String) -> Int? {
    let text = String(version.prefix { $0 != "." })
    return Int(text) ?? (!text.isEmpty && text.utf8.allSatisfy(ASCII.isDigit) ? .max : nil)
  }

  /// A yes or no; nil for anything else (VA-314).
  static func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "1", "yes": true
    case "false", "0", "no": false
    default: nil
    }
  }

  /// A MIME type in its one spelling (VA-315).
  static func mimeType(_ text: String) -> String? {
    if text == "video/mp4" { return text }
    let bytes = text.utf8.prefix { $0 != UInt8(ascii: ";") }.map(ASCII.folded)
    let type = String(decoding: bytes[ASCII.trimmed(bytes.indices, in: bytes)], as: UTF8.self)
    switch type {
    case "": return nil
    case "application/x-mpegurl", "application/vnd.apple.mpegurl", "x-mpegurl", "mpegurl", "audio/mpegurl",
      "audio/x-mpegurl", "vnd.apple.mpegurl":
      return "application/vnd.apple.mpegurl"
    case "mp4", "video/x-mp4", "video/m4v": return "video/mp4"
    default: return type
    }
  }

  /// The MIME type that a URL's path ends in; nil when it does not tell.
  static func typeByPath(_ url: String) -> String? {
    let path = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard let dot = path.suffix(6).lastIndex(of: UInt8(ascii: ".")) else { return nil }
    return types[String(decoding: path[dot...].dropFirst().map(ASCII.folded), as: UTF8.self)]
  }

  private static let types = [
    "mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm", "m3u8": "application/vnd.apple.mpegurl",
    "mpd": "application/dash+xml", "mp3": "audio/mpeg", "m4a": "audio/mp4", "aac": "audio/aac", "ogg": "audio/ogg",
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
    "svg": "image/svg+xml", "js": "application/javascript", "html": "text/html", "htm": "text/html",
  ]

  /// Items between commas or blanks (VA-308).
  static func items(_ text: String) -> [String] {
    text.utf8.split { ASCII.isBlank($0) || $0 == UInt8(ascii: ",") }.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func trimmed(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return Array(bytes[ASCII.trimmed(bytes.indices, in: bytes)])
  }
}
