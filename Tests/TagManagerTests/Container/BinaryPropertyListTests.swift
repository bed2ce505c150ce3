import Foundation
import Hits
import TagManager
import Testing

@Suite("Binary property lists")
struct BinaryPropertyListTests {
  /// A list of objects, given as bytes, the first of which is the root; references and offsets are of one byte.
  static func list(_ objects: [[UInt8]], count: Int? = nil, root: UInt8 = 0, table: Int? = nil) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let start = table ?? bytes.count
    bytes += offsets
    func eight(_ number: Int) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
    return bytes + [0, 0, 0, 0, 0, 0, 1, 1] + eight(count ?? objects.count) + eight(Int(root)) + eight(start)
  }

  static func decode(_ bytes: [UInt8]) -> DecodeResult { ContainerDecoder.decode(Data(bytes), id: nil) }

  static func ascii(_ text: String) -> [UInt8] { [0x50 | UInt8(text.utf8.count)] + Array(text.utf8) }

  @Test("TM-131: every kind of object is read or left out")
  func objects() throws {
    func value(_ object: [UInt8]) throws -> Value? {
      let container = try #require(Self.decode(Self.list([[0xD1, 1, 2], Self.ascii("a"), object])).container)
      return FlatContainerTests.constants(container)["a"]
    }
    #expect(try value([0x08]) == false)
    #expect(try value([0x09]) == true)
    #expect(try value([0x10, 0xFF]) == 255)
    #expect(try value([0x11, 0xFF, 0xFF]) == 65_535)
    #expect(try value([0x12, 0xFF, 0xFF, 0xFF, 0xFF]) == 4_294_967_295)
    #expect(try value([0x13] + [UInt8](repeating: 0xFF, count: 8)) == -1)
    #expect(try value([0x14] + [UInt8](repeating: 0, count: 15) + [7]) == 7)
    #expect(try value([0x14] + [UInt8](repeating: 0xFF, count: 16)) == -1)
    #expect(try value([0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8)) == .double(0x1p64))
    #expect(try value([0x22, 0x3F, 0xC0, 0, 0]) == 1.5)
    #expect(try value([0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0]) == 1.5)
    #expect(try value([0x33] + [UInt8](repeating: 0, count: 8)) == "2001-01-01T00:00:00Z")
    #expect(try value([0x62, 0xD8, 0x3D, 0xDE, 0x00]) == "😀")
    #expect(try value([0x5F, 0x10, 2] + Array("hi".utf8)) == "hi")
    #expect(try value([0xA2, 1, 1]) == ["$list": ["a", "a"]])
    #expect(try value([0xC1, 1]) == ["$list": ["a"]])
    #expect(try value([0xD1, 1, 1]) == ["$map": [["a", "a"]]])
    for unsupported: [UInt8] in [[0x00], [0x41, 9], [0x80, 1], [0x22, 0x7F, 0x80, 0, 0]] {
      #expect(try value(unsupported) == nil)
    }
  }

  /// What is wrong, and the error it ends in.
  static let damaged: [(String, Diagnostic.Code, [UInt8])] = [
    ("no trailer", .malformedPropertyList, Array("bplist00".utf8)),
    ("short trailer", .malformedPropertyList, Array("bplist00".utf8) + [UInt8](repeating: 0, count: 31)),
    ("sizes of zero", .malformedPropertyList, Array("bplist00".utf8) + [UInt8](repeating: 0, count: 32)),
    ("no objects", .malformedPropertyList, list([[0xD0]], count: 0)),
    ("more objects than offsets", .malformedPropertyList, list([[0xD0]], count: 2)),
    ("objects beyond number", .malformedPropertyList, list([[0xD0]], count: .max)),
    ("root outside", .malformedPropertyList, list([[0xD0]], root: 1)),
    ("offsets before the objects", .malformedPropertyList, list([[0xD0]], table: 0)),
    ("offsets after the end", .malformedPropertyList, list([[0xD0]], table: 1_000)),
    ("object in itself", .malformedPropertyList, list([[0xD1, 1, 2], ascii("a"), [0xA1, 2]])),
    ("root in itself", .malformedPropertyList, list([[0xD1, 1, 0], ascii("a")])),
    ("objects in each other", .malformedPropertyList, list([[0xD1, 1, 2], ascii("a"), [0xA1, 3], [0xD1, 1, 2]])),
    ("reference outside", .malformedPropertyList, list([[0xD1, 1, 9], ascii("a")])),
    ("key that is no text", .malformedPropertyList, list([[0xD1, 1, 1], [0x09]])),
    ("text beyond the end", .malformedPropertyList, list([[0xD1, 1, 2], ascii("a"), [0x5F, 0x10, 99]])),
    ("list beyond the end", .malformedPropertyList, list([[0xD1, 1, 2], ascii("a"), [0xAF, 0x10, 99]])),
    ("count that is no integer", .malformedPropertyList, list([[0xD1, 1, 2], ascii("a"), [0xAF, 0x09]])),
    (
      "count beyond number", .malformedPropertyList,
      list([[0xD1, 1, 2], ascii("a"), [0xAF, 0x13] + [UInt8](repeating: 0xFF, count: 8)])
    ),
    ("unknown type", .malformedPropertyList, list([[0xD1, 1, 2], ascii("a"), [0x70]])),
    (
      "date that is none", .malformedPropertyList,
      list([[0xD1, 1, 2], ascii("a"), [0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0]])
    ),
    ("text not ASCII", .invalidUTF8, list([[0xD1, 1, 2], ascii("a"), [0x51, 0xE9]])),
  ]

  @Test("TM-132: a damaged list is refused by name", arguments: damaged.indices)
  func refuses(index: Int) {
    let (name, code, bytes) = Self.damaged[index]
    let result = Self.decode(bytes)
    #expect(result.container == nil, "\(name)")
    #expect(result.error?.code == code, "\(name)")
  }

  /// A root with one key, whose value is a chain of lists, each with the next one `copies` times, and a text at the end.
  static func chain(of count: Int, copies: Int) -> [UInt8] {
    let lists = (0..<count).map { [0xA0 | UInt8(copies)] + [UInt8](repeating: UInt8($0 + 3), count: copies) }
    return list([[0xD1, 1, 2], ascii("a")] + lists + [ascii("x")])
  }

  @Test("§100.6: 64 levels are read, 65 are too deep, also when shared objects make them")
  func depth() {
    #expect(Self.decode(Self.chain(of: 63, copies: 1)).error == nil)
    #expect(Self.decode(Self.chain(of: 64, copies: 1)).error?.code == .tooDeep)
    // The chain is read from its middle first, so that its upper half meets objects that are known already.
    var objects: [[UInt8]] = [[0xD2, 1, 2, 40, 3], Self.ascii("a"), Self.ascii("b")]
    objects += (3..<70).map { [0xA1, UInt8($0 + 1)] } + [Self.ascii("x")]
    #expect(Self.decode(Self.list(objects)).error?.code == .tooDeep)
  }

  @Test("A7: objects that hold the next one twice are read once each, and refused when they are too large")
  func sharing() throws {
    #expect(Self.decode(Self.chain(of: 40, copies: 2)).error?.code == .valueTooLarge)
    let container = try #require(Self.decode(Self.chain(of: 18, copies: 2)).container)
    #expect(container.pool.nodes.count == 19)
  }
}
