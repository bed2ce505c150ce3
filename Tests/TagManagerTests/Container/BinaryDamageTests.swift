import TagManager
import Testing

@Suite("Damaged binary containers")
struct BinaryDamageTests {
  /// What is wrong with a resource, and the error it ends in.
  static let damaged: [(String, Diagnostic.Code, @Sendable (inout WireBuilder) -> Void)] = [
    (
      "field number 0", .malformedWire,
      {
        $0.text(13, "1"); $0.tag(0, type: 0); $0.bytes.append(0)
      }
    ),
    (
      "wire type 3", .malformedWire,
      {
        $0.text(13, "1"); $0.tag(40, type: 3)
      }
    ),
    (
      "wire type 4", .malformedWire,
      {
        $0.text(13, "1"); $0.tag(40, type: 4)
      }
    ),
    (
      "wire type 6", .malformedWire,
      {
        $0.text(13, "1"); $0.tag(40, type: 6)
      }
    ),
    (
      "wire type 7", .malformedWire,
      {
        $0.text(13, "1"); $0.tag(40, type: 7)
      }
    ),
    (
      "ends in a varint", .malformedWire,
      {
        $0.text(13, "1"); $0.bytes += [0x88, 0x80]
      }
    ),
    (
      "ends in a field", .malformedWire,
      {
        $0.text(13, "1"); $0.bytes += [0x6A, 5, 1]
      }
    ),
    (
      "ends in eight bytes", .malformedWire,
      {
        $0.text(13, "1"); $0.tag(40, type: 1); $0.bytes += [1, 2, 3]
      }
    ),
    (
      "ends in four bytes", .malformedWire,
      {
        $0.text(13, "1"); $0.tag(40, type: 5); $0.bytes += [1, 2, 3]
      }
    ),
    (
      "varint of 11 bytes", .malformedWire,
      {
        $0.text(13, "1"); $0.tag(40, type: 0); $0.bytes += [UInt8](repeating: 0x80, count: 10) + [1]
      }
    ),
    (
      "length beyond Int", .malformedWire,
      {
        $0.text(13, "1"); $0.tag(40, type: 2); $0.bytes += [UInt8](repeating: 0xFF, count: 9) + [1]
      }
    ),
    (
      "known field of another type", .malformedWire,
      {
        $0.text(12, "1"); $0.int(13, 1)
      }
    ),
    ("value of another type", .malformedWire, { $0.int(2, 1) }),
    ("text not UTF-8", .invalidUTF8, { $0.content(13, [0xFF]) }),
    (
      "key not UTF-8", .invalidUTF8,
      {
        $0.text(13, "1"); $0.content(1, [0xC0, 0x80])
      }
    ),
    (
      "nothing known", .unrecognisedFormat,
      {
        $0.text(1, "k"); $0.int(20, 1)
      }
    ),
    ("list index out of range", .indexOutOfRange, { $0.list([1]) }),
    ("list index negative", .indexOutOfRange, { $0.list([-1]) }),
    ("macro name out of range", .indexOutOfRange, { $0.serving(4) { $0.int(6, 9) } }),
    ("tag out of range", .indexOutOfRange, { $0.serving(9) { $0.int(7, 0) } }),
    (
      "property key out of range", .indexOutOfRange,
      {
        $0.string("x"); $0.property(0, 0)
      }
    ),
    (
      "property value out of range", .indexOutOfRange,
      {
        $0.key("k"); $0.property(0, 0); $0.text(13, "1")
      }
    ),
    ("call property out of range", .indexOutOfRange, { $0.macro([0]) }),
    ("call property negative", .indexOutOfRange, { $0.macro([-1]) }),
    ("rule predicate out of range", .indexOutOfRange, { $0.rule { $0.int(1, 0) } }),
    ("rule tag out of range", .indexOutOfRange, { $0.rule { $0.int(4, 0) } }),
    ("rule macro out of range", .indexOutOfRange, { $0.rule { $0.int(7, 0) } }),
    (
      "rule name out of range", .indexOutOfRange,
      BinaryContainerTests.constants {
        $0.tagCall([0]);
        $0.rule {
          $0.int(3, 0); $0.int(5, 9)
        }
      }
    ),
    ("value in itself", .valueCycle, { $0.list([0]) }),
    (
      "values in each other", .valueCycle,
      {
        $0.list([1]); $0.serving(7) { $0.int(5, 2) };
        $0.serving(3) {
          $0.int(2, 0); $0.int(3, 0)
        }
      }
    ),
    (
      "uneven map", .unevenMap,
      {
        $0.string("x"); $0.serving(3) { $0.int(2, 0) }
      }
    ),
    (
      "uneven inline map", .unevenMap,
      {
        $0.value {
          $0.int(1, 3); $0.message(4) { $0.int(1, 1) }
        }
      }
    ),
    ("list without content", .missingServingValue, { $0.value { $0.int(1, 2) } }),
    ("map without content", .missingServingValue, { $0.value { $0.int(1, 3) } }),
    ("template without content", .missingServingValue, { $0.value { $0.int(1, 7) } }),
    ("macro reference without content", .missingServingValue, { $0.serving(4) { _ in } }),
    (
      "macro named by a list", .missingServingValue,
      {
        $0.serving(4) { $0.int(6, 1) }; $0.list([])
      }
    ),
    ("tag reference without content", .missingServingValue, { $0.value { $0.int(1, 9) } }),
    ("value of type 0", .unknownValueType, { $0.value { $0.int(1, 0) } }),
    ("value of type 10", .unknownValueType, { $0.value { $0.int(1, 10) } }),
    ("value without type", .unknownValueType, { $0.value { $0.text(2, "x") } }),
    ("call without function", .missingFunction, { $0.macro([]) }),
    (
      "function that is no text", .missingFunction,
      {
        $0.key("function"); $0.list([]); $0.property(0, 0); $0.macro([0])
      }
    ),
  ]

  @Test("TM-120, TM-123: anything wrong rejects the resource by name", arguments: damaged.indices)
  func refuses(index: Int) {
    let (name, code, fill) = Self.damaged[index]
    let result = BinaryContainerTests.decode(fill)
    #expect(result.error?.code == code, "\(name)")
    #expect(result.container == nil)
  }
}
