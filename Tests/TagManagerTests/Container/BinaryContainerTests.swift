import Foundation
import Hits
import TagManager
import Testing

@Suite("Binary containers")
struct BinaryContainerTests {
  static func decode(_ fill: (inout WireBuilder) -> Void) -> DecodeResult {
    ContainerDecoder.decode(Data(WireBuilder.resource(fill)), id: nil)
  }

  static func container(_ fill: (inout WireBuilder) -> Void) throws -> CompiledContainer {
    let result = decode(fill)
    return try #require(result.container, "\(String(describing: result.error))")
  }

  /// Keys 0 function, 1 value; value 0 `_c`; property 0 that function; then what the case adds from value 1 on.
  static func constants(_ fill: @escaping @Sendable (inout WireBuilder) -> Void)
    -> @Sendable (inout WireBuilder) -> Void
  {
    { resource in
      resource.key("function")
      resource.key("value")
      resource.functionID("_c")
      resource.property(0, 0)
      fill(&resource)
    }
  }

  /// The value of the only macro in the notation of `decoded`.
  static func value(_ fill: @escaping @Sendable (inout WireBuilder) -> Void) throws -> Value? {
    let container = try container(
      constants {
        fill(&$0)
        $0.property(1, 1)
        $0.macro([0, 1])
      })
    return Notation(container: container).call(container.macros[0], .macro).map?["value"]
  }

  @Test("TM-120: every type of value is read")
  func values() throws {
    #expect(try Self.value { $0.string("é") } == "é")
    #expect(try Self.value { $0.functionID("f") } == "f")
    #expect(
      try Self.value {
        $0.value {
          $0.int(1, 6); $0.int(8, -5)
        }
      } == -5)
    #expect(
      try Self.value {
        $0.value {
          $0.int(1, 8); $0.int(12, 1)
        }
      } == true)
    #expect(
      try Self.value {
        $0.list([2, 2]); $0.string("x")
      } == ["$list": ["x", "x"]])
    #expect(try Self.value { $0.serving(2) { _ in } } == ["$list": []])
    #expect(try Self.value { $0.serving(3) { _ in } } == ["$map": []])
    #expect(
      try Self.value { resource in
        resource.serving(3) {
          $0.int(2, 2); $0.int(3, 3); $0.int(2, 3); $0.int(3, 2)
        }
        resource.string("a")
        resource.string("b")
      } == ["$map": [["a", "b"], ["b", "a"]]])
    #expect(
      try Self.value {
        $0.serving(7) { $0.packed(5, [2]) }; $0.string("t")
      } == ["$template": ["t"]])
    #expect(
      try Self.value {
        $0.serving(4) { $0.int(6, 2) }; $0.string("m")
      } == ["$macro": "m"])
    #expect(
      try Self.value {
        $0.serving(9) { $0.int(7, 0) }; $0.tagCall([0])
      } == ["$tag": [0, 0]])
  }

  @Test("TM-121: a compound written inside the value counts when it has no index content")
  func inlineValues() throws {
    let text: @Sendable (inout WireBuilder) -> Void = {
      $0.int(1, 1); $0.text(2, "i")
    }
    #expect(
      try Self.value {
        $0.value {
          $0.int(1, 2); $0.message(3, text)
        }
      } == ["$list": ["i"]])
    #expect(
      try Self.value {
        $0.value {
          $0.int(1, 2); $0.message(3, text); $0.message(101) { _ in }
        }
      } == ["$list": ["i"]])
    #expect(
      try Self.value {
        $0.value {
          $0.int(1, 3); $0.message(4, text); $0.message(5, text)
        }
      } == ["$map": [["i", "i"]]])
    #expect(
      try Self.value {
        $0.value {
          $0.int(1, 7); $0.message(11, text)
        }
      } == ["$template": ["i"]])
    #expect(
      try Self.value {
        $0.value {
          $0.int(1, 4); $0.text(6, "m")
        }
      } == ["$macro": "m"])
  }

  @Test("TM-121: a macro or a tag may be referred to by index or by name")
  func references() throws {
    let macro = try Self.container { resource in
      for key in ["function", "value", "instance_name"] { resource.key(key) }
      resource.functionID("_c")
      resource.serving(4) { $0.int(4, 1) }
      resource.string("second")
      resource.property(0, 0)
      resource.property(1, 1)
      resource.property(2, 2)
      resource.macro([0, 1])
      resource.macro([0, 2])
    }
    #expect(macro.pool.nodes == [.macro(name: "second")])
    let tag = try Self.container { resource in
      for key in ["function", "value", "instance_name"] { resource.key(key) }
      resource.functionID("_img")
      resource.value {
        $0.int(1, 9); $0.text(13, "second")
      }
      resource.string("second")
      resource.property(0, 0)
      resource.property(1, 1)
      resource.property(2, 2)
      resource.tagCall([0, 1])
      resource.tagCall([0, 2])
    }
    #expect(tag.pool.nodes == [.tag(TagReference(tag: 1))])
  }

  @Test("TM-120, TM-616: escapes of a value are kept, in any form of repetition")
  func escapes() throws {
    for fill: @Sendable (inout WireBuilder) -> Void in [
      {
        $0.int(10, 12); $0.int(10, 15)
      }, { $0.packed(10, [12, 15]) },
    ] {
      let value = try Self.value {
        $0.value {
          $0.int(1, 1); $0.text(2, "x"); fill(&$0)
        }
      }
      #expect(value == ["$escape": ["x", 12, 15]])
    }
  }

  @Test("A8, TM-120: packed and unpacked indexes and unknown fields give the same compiled form")
  func packedAndUnknown() throws {
    func resource(isPacked: Bool) -> (inout WireBuilder) -> Void {
      { resource in
        resource.key("function")
        resource.functionID("_eq")
        resource.property(0, 0)
        if isPacked {
          for field in [20, 21, 22] { resource.int(field, 1) }
          resource.message(23) { $0.int(1, 5) }
          resource.tag(30, type: 1)
          resource.bytes += [UInt8](repeating: 7, count: 8)
          resource.tag(31, type: 5)
          resource.bytes += [UInt8](repeating: 7, count: 4)
        }
        for _ in 0..<3 { resource.predicate([0]) }
        resource.tagCall([0])
        resource.rule {
          if isPacked {
            $0.packed(1, [0, 1])
            $0.packed(2, [2])
            $0.int(3, 0)
          } else {
            $0.int(1, 0)
            $0.int(1, 1)
            $0.int(2, 2)
            $0.packed(3, [0])
          }
        }
      }
    }
    #expect(try Self.container(resource(isPacked: true)) == Self.container(resource(isPacked: false)))
  }

  @Test("TM-120: of a singular field seen twice the last counts; other format versions are a warning")
  func singularFields() throws {
    let result = Self.decode {
      $0.text(13, "1"); $0.text(13, "2"); $0.int(17, 3); $0.text(16, "ios"); $0.text(16, "android")
    }
    #expect(result.container?.version == "2")
    #expect(result.container?.usageContext == ["ios", "android"])
    #expect(result.container?.semantics == .legacy)
    #expect(result.diagnostics.map(\.code) == [.resourceFormatVersion])
  }

  @Test(
    "TM-122: function and name come from properties; fields 2 and 4 do not count; liveOnly and serverSide are properties"
  )
  func calls() throws {
    let container = try Self.container { resource in
      for key in ["function", "instance_name", "p"] { resource.key(key) }
      resource.functionID("_img")
      resource.string("first")
      resource.string("last")
      for (key, value) in [(0, 0), (1, 1), (1, 2), (2, 1), (2, 2)] { resource.property(key, value) }
      resource.message(5) {
        $0.int(1, 1)
        $0.int(2, 2)
        $0.int(4, 1)
        $0.packed(3, [0, 1, 2, 3, 4])
        $0.int(6, 1)
      }
    }
    let tag = try #require(container.tags.first)
    #expect(tag.function == .image)
    #expect(tag.name == "last")
    #expect(tag.isLiveOnly)
    #expect(
      Notation(container: container).call(tag, .tag)
        == ["function": "image", "instance_name": "last", "p": "last", "server_side": true])
  }

  @Test("TM-123, TM-151: annotations name a rule; too few or too many are padded or cut with a note")
  func ruleNames() throws {
    func result(names: [Int], ids: [Int]) -> DecodeResult {
      Self.decode { resource in
        resource.key("function")
        resource.functionID("_img")
        for text in ["", "Name", "17_3"] { resource.string(text) }
        resource.property(0, 0)
        resource.tagCall([0])
        resource.rule {
          $0.packed(3, [0, 0]); $0.packed(5, names); $0.packed(11, ids)
        }
      }
    }
    let even = result(names: [1, 2], ids: [1, 3])
    #expect(even.container?.rules.map(\.name) == ["Name"])
    #expect(even.container?.rules.map(\.id) == ["17_3"])
    #expect(even.diagnostics.isEmpty)
    let few = result(names: [2], ids: [])
    #expect(few.container?.rules.map(\.name) == ["Name"])
    #expect(few.container?.rules.map(\.id) == ["r0"])
    #expect(few.diagnostics.map(\.code) == [.unevenRuleNames])
    let many = result(names: [1, 1, 2], ids: [])
    #expect(many.container?.rules.map(\.name) == [""])
    #expect(many.diagnostics.map(\.code) == [.unevenRuleNames])
  }

  @Test("A7, TM-123: a list that holds itself is a cycle")
  func cycle() {
    let result = Self.decode { resource in
      for _ in 0..<5 { resource.string("x") }
      resource.list([5])
    }
    #expect(result.error?.code == .valueCycle)
    #expect(result.error?.location == "value 5")
  }

  /// Values 1 to 40 list the next twice; value 41 is a text.
  static func doubling(use value: Int?) -> (inout WireBuilder) -> Void {
    constants { resource in
      for index in 1...40 { resource.list([index + 1, index + 1]) }
      resource.string("leaf")
      if let value {
        resource.property(1, value)
        resource.macro([0, 1])
      } else {
        resource.macro([0])
      }
    }
  }

  @Test("A7, TM-152: 40 values that list the next twice load when they are not used, and stay shared")
  func doublingUnused() throws {
    let container = try Self.container(Self.doubling(use: nil))
    #expect(container.pool.nodes.isEmpty)
  }

  @Test("A7: a value of more than 1,000,000 nodes when expanded is too large to use, one below is not")
  func doublingUsed() throws {
    #expect(Self.decode(Self.doubling(use: 1)).error?.code == .valueTooLarge)
    // 2^20 leaves and as many lists less one, and half of that.
    #expect(Self.decode(Self.doubling(use: 22)).error?.code == .valueTooLarge)
    #expect(try Self.container(Self.doubling(use: 23)).pool.nodes.count == 19)
  }

  @Test("§100.6: a chain of 65 lists is too deep to use, one of 64 is not")
  func depth() throws {
    func chain(of count: Int, isUsed: Bool) -> (inout WireBuilder) -> Void {
      Self.constants { resource in
        for index in 1...count { resource.list([index + 1]) }
        resource.string("leaf")
        resource.property(1, 1)
        resource.macro(isUsed ? [0, 1] : [0])
      }
    }
    #expect(try Self.container(chain(of: 64, isUsed: true)).pool.nodes.count == 65)
    #expect(Self.decode(chain(of: 65, isUsed: true)).error?.code == .tooDeep)
    #expect(try Self.container(chain(of: 100_000, isUsed: false)).pool.nodes.isEmpty)
  }

  @Test("§100.6: messages nested too deep are refused, without recursion beyond the limit")
  func messageDepth() {
    func nested(_ depth: Int) -> [UInt8] {
      (0..<depth).reduce(WireBuilder { $0.int(1, 1) }.bytes) { inner, _ in
        WireBuilder {
          $0.int(1, 2); $0.content(3, inner)
        }.bytes
      }
    }
    #expect(Self.decode { $0.content(2, nested(60)) }.error == nil)
    #expect(Self.decode { $0.content(2, nested(64)) }.error?.code == .tooDeep)
    #expect(Self.decode { $0.content(2, nested(5_000)) }.error?.code == .tooDeep)
  }

  @Test("TM-153: an unknown function is kept and reported once with its count")
  func unknownFunction() throws {
    let result = Self.decode { resource in
      resource.key("function")
      resource.functionID("_nope")
      resource.property(0, 0)
      resource.macro([0])
      resource.macro([0])
      resource.tagCall([0])
    }
    #expect(result.container?.macros.map(\.function.rawValue) == ["_nope", "_nope"])
    #expect(result.diagnostics.map(\.code) == [.unknownFunction, .unknownFunction])
    #expect(
      result.diagnostics.map { String($0.message.prefix(32)) } == [
        "unknownFunction(_nope, macro, 2)", "unknownFunction(_nope, tag, 1): ",
      ])
  }
}
