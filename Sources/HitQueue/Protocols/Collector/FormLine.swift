import Hits

/// The pieces of a stored form, in place: what a line of our own protocol says in another order and form.
struct FormLine {
  private let form: UnsafeRawBufferPointer
  private(set) var kind = UnsafeRawBufferPointer(start: nil, count: 0)
  private(set) var property = UnsafeRawBufferPointer(start: nil, count: 0)
  private(set) var client: UnsafeRawBufferPointer?
  private(set) var user: UnsafeRawBufferPointer?
  /// Where the fields begin: the names that stand before them are read.
  private var fields = 0

  /// Finds the pieces that stand before the fields (see `HitBody`); nil where they are not those of a hit.
  init?(_ form: UnsafeRawBufferPointer) {
    self.form = form
    while kind.isEmpty, let (name, value, next) = piece(at: fields) {
      if name.elementsEqual("tid".utf8) {
        property = value
      } else if name.elementsEqual("cid".utf8) {
        client = value
      } else if name.elementsEqual("uid".utf8) {
        user = value
      } else if name.elementsEqual("t".utf8) {
        kind = value
      }
      fields = next
    }
    let name = String(decoding: kind, as: UTF8.self)
    guard !property.isEmpty, name == "custom" || HitKind(wireName: name) != nil else { return nil }
  }

  /// The name and the value that begin at a place, and where the next do; nil at the end.
  private func piece(
    at start: Int
  ) -> (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, next: Int)? {
    guard start < form.count else { return nil }
    var (middle, end) = (start, start)
    while middle < form.count, form[middle] != UInt8(ascii: "="), form[middle] != UInt8(ascii: "&") { middle += 1 }
    end = middle
    while end < form.count, form[end] != UInt8(ascii: "&") { end += 1 }
    return (
      UnsafeRawBufferPointer(rebasing: form[start..<middle]),
      UnsafeRawBufferPointer(rebasing: form[min(middle + 1, end)..<end]), end + 1
    )
  }

  /// Writes `,"fields":{…}`, unless there is none.
  func writeFields(to writer: inout ByteWriter) {
    var place = fields
    var isFirst = true
    while let (name, value, next) = piece(at: place) {
      place = next
      if name.count == 4, name.elementsEqual(HitContent.sessionField.utf8) { continue }
      writer.put(isFirst ? ",\"fields\":{\"" : "\",\"")
      isFirst = false
      writer.put(json: name)
      writer.put("\":\"")
      writer.put(json: value)
    }
    if !isFirst { writer.put("\"}") }
  }
}

extension ByteWriter {
  /// A form-encoded text as a JSON text, without the quotes.
  mutating func put(json form: UnsafeRawBufferPointer) {
    var place = 0
    while place < form.count {
      let byte = form[place]
      place += 1
      if byte == UInt8(ascii: "%"), place + 1 < form.count, let high = HexDigits.value(of: form[place]),
        let low = HexDigits.value(of: form[place + 1])
      {
        put(json: high << 4 | low)
        place += 2
      } else {
        put(json: byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
  }

  mutating func put(json text: String) { for byte in text.utf8 { put(json: byte) } }

  /// A byte of a JSON text, escaped where it must be.
  private mutating func put(json byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      put(UInt8(ascii: "\\"))
      put(byte)
    case ..<0x20:
      put("\\u00")
      put(HexDigits.lower(byte >> 4))
      put(HexDigits.lower(byte & 15))
    default: put(byte)
    }
  }
}
