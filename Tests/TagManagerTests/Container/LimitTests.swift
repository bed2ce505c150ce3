import Foundation
import TagManager
import Testing

@Suite("Limits of containers")
struct LimitTests {
  /// A limit set low, an input at the bound and one past it, and the error.
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var limits: DecodeLimits
    var code: Diagnostic.Code
    var input: @Sendable (Int) -> [UInt8]
    var bound: Int

    init(
      _ description: String, _ limit: WritableKeyPath<DecodeLimits, Int>, _ bound: Int,
      _ code: Diagnostic.Code = .tooMany, _ input: @escaping @Sendable (Int) -> [UInt8]
    ) {
      testDescription = description
      limits = DecodeLimits()
      limits[keyPath: limit] = bound
      self.bound = bound
      self.code = code
      self.input = input
    }
  }

  static func json(_ text: String) -> [UInt8] { Array("{\"resource\":{\(text)}}".utf8) }

  static func repeated(_ text: String, _ count: Int) -> String {
    Array(repeating: text, count: count).joined(separator: ",")
  }

  static func wire(_ count: Int, _ fill: @escaping (inout WireBuilder, Int) -> Void) -> [UInt8] {
    WireBuilder.resource { resource in
      resource.key("function")
      resource.functionID("_c")
      resource.property(0, 0)
      for index in 0..<count { fill(&resource, index) }
    }
  }

  static let cases: [Case] = [
    Case("bytes", \.bytes, 30, .tooLarge) { Array("{\"a\":\"\(String(repeating: "x", count: $0 - 8))\"}".utf8) },
    Case("bytes of binary", \.bytes, 30, .tooLarge) {
      [0x6A, UInt8($0 - 2)] + [UInt8](repeating: 0x61, count: $0 - 2)
    },
    Case("depth of JSON", \.depth, 5, .tooDeep) {
      Array(("{\"a\":" + String(repeating: "[", count: $0 - 1) + String(repeating: "]", count: $0 - 1) + "}").utf8)
    },
    Case("binary keys", \.keys, 3) { wire($0 - 1) { resource, _ in resource.key("k") } },
    Case("binary properties", \.properties, 3) { wire($0 - 1) { resource, _ in resource.property(0, 0) } },
    Case("binary values", \.values, 3) { wire($0 - 1) { resource, _ in resource.string("x") } },
    Case("JSON values", \.values, 3) {
      json(
        "\"macros\":[{\"function\":\"_c\",\"vtp_value\":[\"list\",\((1..<$0).map(String.init).joined(separator: ","))]}]"
      )
    },
    Case("binary macros", \.macros, 3) { wire($0) { resource, _ in resource.macro([0]) } },
    Case("binary tags", \.tags, 3) { wire($0) { resource, _ in resource.tagCall([0]) } },
    Case("binary predicates", \.predicates, 3) { wire($0) { resource, _ in resource.predicate([0]) } },
    Case("binary rules", \.rules, 3) { wire($0) { resource, _ in resource.rule { _ in } } },
    Case("JSON macros", \.macros, 3) { json("\"macros\":[\(repeated(#"{"function":"_c"}"#, $0))]") },
    Case("JSON tags", \.tags, 3) { json("\"tags\":[\(repeated(#"{"function":"_c"}"#, $0))]") },
    Case("JSON predicates", \.predicates, 3) { json("\"predicates\":[\(repeated(#"{"function":"_eq"}"#, $0))]") },
    Case("JSON rules", \.rules, 3) { json("\"rules\":[\(repeated("[]", $0))]") },
    Case("flat keys", \.macros, 3) { Array("{\((0..<$0).map { "\"k\($0)\":1" }.joined(separator: ","))}".utf8) },
    Case("parameters of a JSON call", \.parametersPerCall, 3) {
      json("\"tags\":[{\"function\":\"_c\",\((0..<$0).map { "\"vtp_\($0)\":1" }.joined(separator: ","))}]")
    },
    Case("parameters of a binary call", \.parametersPerCall, 3) { count in
      WireBuilder.resource { resource in
        resource.key("function")
        resource.functionID("_c")
        resource.property(0, 0)
        for index in 0..<count {
          resource.key("k\(index)")
          resource.property(index + 1, 0)
        }
        resource.macro(Array(0...count))
      }
    },
    Case("indexes of a binary rule", \.indexesPerRule, 3) { count in
      wire(1) { resource, _ in
        resource.tagCall([0])
        resource.rule {
          $0.packed(3, [0, 0]); $0.packed(4, [Int](repeating: 0, count: count - 2))
        }
      }
    },
    Case("indexes of a JSON rule", \.indexesPerRule, 3) {
      json("\"tags\":[{\"function\":\"_c\"}],\"rules\":[[[\"add\",0,0],[\"block\",\(repeated("0", $0 - 2))]]]")
    },
    Case("a JSON text", \.textBytes, 20, .tooLarge) { Array("{\"a\":\"\(String(repeating: "x", count: $0))\"}".utf8) },
    Case("a binary text", \.textBytes, 20, .tooLarge) { count in
      WireBuilder { $0.text(13, String(repeating: "x", count: count)) }.bytes
    },
    Case("a property list's text", \.textBytes, 20, .tooLarge) {
      Array("<plist><dict><key>a</key><string>\(String(repeating: "x", count: $0))</string></dict></plist>".utf8)
    },
    Case("nodes of a JSON value", \.expandedNodes, 5, .valueTooLarge) {
      json("\"macros\":[{\"function\":\"_c\",\"vtp_value\":[\"list\",\(repeated("0", $0 - 1))]}]")
    },
    Case("nodes of a flat value", \.expandedNodes, 5, .valueTooLarge) {
      Array("{\"a\":[\(repeated("0", $0 - 1))]}".utf8)
    },
    Case("nodes of a binary value", \.expandedNodes, 5, .valueTooLarge) { count in
      WireBuilder.resource { resource in
        resource.key("function")
        resource.key("value")
        resource.functionID("_c")
        resource.list([Int](repeating: 0, count: count - 1))
        resource.property(0, 0)
        resource.property(1, 1)
        resource.macro([0, 1])
      }
    },
  ]

  @Test("§100.6, TM-161: each limit holds at its bound and is named one past it", arguments: cases)
  func holds(test: Case) {
    let atBound = ContainerDecoder.decode(Data(test.input(test.bound)), id: nil, limits: test.limits)
    #expect(atBound.error == nil)
    let beyond = ContainerDecoder.decode(Data(test.input(test.bound + 1)), id: nil, limits: test.limits)
    #expect(beyond.error?.code == test.code)
    #expect(beyond.container == nil)
  }

  @Test("§100.6: the limits are those of the specification")
  func figures() {
    let limits = DecodeLimits.standard
    let figures: [(Int, Int)] = [
      (limits.bytes, 16_777_216), (limits.depth, 64), (limits.keys, 65_536), (limits.properties, 1_048_576),
      (limits.values, 1_048_576), (limits.macros, 50_000), (limits.tags, 50_000), (limits.rules, 50_000),
      (limits.predicates, 50_000), (limits.parametersPerCall, 1_000), (limits.indexesPerRule, 50_000),
      (limits.textBytes, 1_048_576), (limits.expandedNodes, 1_000_000),
    ]
    for (figure, expected) in figures { #expect(figure == expected) }
  }
}
