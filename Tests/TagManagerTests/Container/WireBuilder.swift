/// A protobuf message written field by field, right or wrong, for tests of the decoder.
struct WireBuilder {
  var bytes: [UInt8] = []

  init(_ fill: (inout WireBuilder) -> Void = { _ in }) { fill(&self) }

  static func varint(_ number: UInt64) -> [UInt8] {
    var rest = number
    var bytes: [UInt8] = []
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  mutating func tag(_ field: Int, type: UInt64) { bytes += Self.varint(UInt64(field) << 3 | type) }

  mutating func int(_ field: Int, _ number: Int) {
    tag(field, type: 0)
    bytes += Self.varint(UInt64(bitPattern: Int64(number)))
  }

  mutating func content(_ field: Int, _ content: [UInt8]) {
    tag(field, type: 2)
    bytes += Self.varint(UInt64(content.count)) + content
  }

  mutating func text(_ field: Int, _ text: String) { content(field, Array(text.utf8)) }

  mutating func message(_ field: Int, _ fill: (inout WireBuilder) -> Void) {
    content(field, WireBuilder(fill).bytes)
  }

  mutating func packed(_ field: Int, _ numbers: [Int]) {
    content(field, numbers.flatMap { Self.varint(UInt64(bitPattern: Int64($0))) })
  }
}

/// The parts of a `Resource` message.
extension WireBuilder {
  /// A resource of constant macros and the like, made of parts in the order given.
  static func resource(_ fill: (inout WireBuilder) -> Void) -> [UInt8] { WireBuilder(fill).bytes }

  mutating func key(_ text: String) { self.text(1, text) }

  mutating func value(_ fill: (inout WireBuilder) -> Void) { message(2, fill) }

  mutating func string(_ text: String) {
    value {
      $0.int(1, 1)
      $0.text(2, text)
    }
  }

  mutating func functionID(_ id: String) {
    value {
      $0.int(1, 5)
      $0.text(7, id)
    }
  }

  /// A compound value in index form.
  mutating func serving(_ type: Int, _ fill: (inout WireBuilder) -> Void) {
    value {
      $0.int(1, type)
      $0.message(101, fill)
    }
  }

  mutating func list(_ items: [Int]) { serving(2) { list in items.forEach { list.int(1, $0) } } }

  mutating func property(_ key: Int, _ value: Int) {
    message(3) {
      $0.int(1, key)
      $0.int(2, value)
    }
  }

  mutating func call(_ field: Int, _ properties: [Int]) {
    message(field) { call in properties.forEach { call.int(3, $0) } }
  }

  mutating func macro(_ properties: [Int]) { call(4, properties) }
  mutating func tagCall(_ properties: [Int]) { call(5, properties) }
  mutating func predicate(_ properties: [Int]) { call(6, properties) }
  mutating func rule(_ fill: (inout WireBuilder) -> Void) { message(7, fill) }
}
