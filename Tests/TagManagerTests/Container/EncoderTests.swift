import Foundation
import Hits
import TagManager
import Testing

@Suite("Encoding containers")
struct EncoderTests {
  /// A container with everything that both forms can say.
  static func everything() throws -> CompiledContainer {
    var container = CompiledContainer(version: "7", usageContext: ["ios", "android"], semantics: .standard)
    container.pool = ValuePool(nodes: [
      .constant("x"), .constant(5), .constant(true), .list([ValueIndex(0), ValueIndex(1), ValueIndex(0)]),
      .map([MapEntry(key: ValueIndex(0), value: ValueIndex(3))]), .macro(name: "b"), .macro(name: "no such"),
      .template([ValueIndex(5), ValueIndex(0)]), .escape(ValueIndex(7), codes: [12, 15]), .tag(TagReference(tag: 1)),
      .list([]), .map([]), .template([]), .constant("é"), .constant("e\u{301}"), .constant(.int(.min)),
    ])
    var macro = Call(.constant)
    macro.name = "a"
    macro.label = "Spanish"
    macro.isNotDefault = true
    macro.pushAfterEvaluate = ValueIndex(4)
    for (key, index) in [("value", 8), ("z", 14), ("p", 13), ("vtp_x", 15), ("empty", 10)] {
      macro.parameters[key] = ValueIndex(index)
    }
    var other = Call(.lookupTable)
    other.name = "b"
    other.parameters = ["m": ValueIndex(11), "t": ValueIndex(12), "r": ValueIndex(6)]
    container.macros = [macro, other]
    var tag = Call(.analytics)
    tag.name = "T"
    tag.tagID = "12"
    tag.priority = -3
    tag.isOncePerLoad = true
    tag.isLiveOnly = true
    tag.setupTags = [TagReference(tag: 1)]
    tag.teardownTags = [TagReference(tag: 1), TagReference(tag: 0)]
    tag.scheduleStart = 1
    tag.scheduleEnd = .max
    tag.consentRequired = ["ad_storage", "analytics_storage"]
    tag.parameters = ["ref": ValueIndex(9)]
    var unknown = Call(FunctionName(rawValue: "_own"))
    unknown.tagID = "012"
    container.tags = [tag, unknown]
    var predicate = Call(.equals)
    predicate.parameters = ["arg0": ValueIndex(5), "arg1": ValueIndex(0), "vtp_y": ValueIndex(2)]
    container.predicates = [predicate]
    var rule = Rule(id: "17_3")
    rule.name = "Rule"
    rule.positive = [0]
    rule.negative = [0, 0]
    rule.addedTags = [1, 0]
    rule.removedTags = [0]
    rule.addedMacros = [0]
    rule.removedMacros = [1]
    container.rules = [rule, Rule(id: "r1")]
    try container.makeCanonical()
    return container
  }

  @Test("TM-137: everything survives compiled JSON, twice in the same bytes")
  func json() throws {
    var container = try Self.everything()
    container.id = "GTM-A"
    container.environment = "test"
    container.sequence = 9
    container.publishedAt = 10
    container.fingerprint = "f"
    container.pool.nodes.append(.constant(1.5))
    container.tags[0].parameters["z"] = ValueIndex(container.pool.nodes.count - 1)
    container.tags[0].setupTags[0].flag = 1
    try container.makeCanonical()
    let bytes = try JSONContainerEncoder().encode(container)
    let result = ContainerDecoder.decode(bytes, id: "GTM-A")
    #expect(result.container == container, "\(String(describing: result.error))")
    #expect(try JSONContainerEncoder().encode(try #require(result.container)) == bytes)
  }

  @Test("TM-137: everything survives the binary form, twice in the same bytes")
  func binary() throws {
    var container = try Self.everything()
    container.semantics = .legacy
    let bytes = try BinaryContainerEncoder().encode(container)
    let result = ContainerDecoder.decode(bytes, id: nil)
    #expect(result.container == container, "\(String(describing: result.error))")
    #expect(try BinaryContainerEncoder().encode(try #require(result.container)) == bytes)
  }

  @Test("TM-137: keys of compiled JSON are sorted, and nothing stands between the parts")
  func jsonText() throws {
    let text =
      #"{"resource":{"tags":[{"vtp_url":["template","a",["macro",0]],"function":"__img","priority":2}],"macros":[{"function":"__e","instance_name":"e"}]}}"#
    let container = try #require(ContainerDecoder.decode(Data(text.utf8), id: nil).container)
    #expect(
      String(decoding: try JSONContainerEncoder().encode(container), as: UTF8.self)
        == #"{"format":"tagworks/1","resource":{"macros":[{"function":"__e","instance_name":"e"}],"predicates":[],"rules":[],"tags":[{"function":"__img","priority":2,"vtp_url":["template","a",["macro",0]]}],"version":""}}"#
    )
  }

  /// What is changed in a container, so that the binary form cannot say it.
  static let inexpressible: [(String, @Sendable (inout CompiledContainer) -> Void)] = [
    ("fraction", { $0.add(.constant(1.5)) }), ("missing value", { $0.add(.constant(.absent)) }),
    ("tag with a flag", { $0.add(.tag(TagReference(tag: 0, flag: 2))) }),
    ("setup with a flag", { $0.tags[0].setupTags = [TagReference(tag: 0, flag: 1)] }),
    ("parameter named like a structural key", { $0.tags[0].parameters["priority"] = ValueIndex(0) }),
    ("name of a rule that does nothing", { $0.rules[1].name = "N" }),
    ("supplementals", { $0.supplementals = [Supplemental(name: "gaExperiment:x")] }),
  ]

  @Test("TM-137: what the binary form cannot say is refused, not lost", arguments: inexpressible.indices)
  func refuses(index: Int) throws {
    var container = try Self.everything()
    Self.inexpressible[index].1(&container)
    let error = #expect(throws: ContainerEncodingError.self) { try BinaryContainerEncoder().encode(container) }
    #expect(error?.code == .notExpressible)
  }

  @Test("TM-137: a value too deep for JSON is refused, not cut")
  func tooDeep() throws {
    func container(depth: Int) -> CompiledContainer {
      var container = CompiledContainer()
      container.pool.nodes = [.constant(1)] + (0..<depth).map { .list([ValueIndex($0)]) }
      var macro = Call(.constant)
      macro.name = "a"
      macro.parameters = ["value": ValueIndex(depth)]
      container.macros = [macro]
      return container
    }
    let deepest = container(depth: 60)
    #expect(ContainerDecoder.decode(try JSONContainerEncoder().encode(deepest), id: nil).container == deepest)
    #expect(throws: ContainerEncodingError.self) { try JSONContainerEncoder().encode(container(depth: 61)) }
    #expect(throws: ContainerEncodingError.self) { try BinaryContainerEncoder().encode(container(depth: 65)) }
  }

  @Test("TM-152: a shared value that would expand beyond the size of a container is refused, not written")
  func tooLarge() throws {
    var container = CompiledContainer()
    container.pool.nodes = [.constant("leaf of a tree")] + (0..<30).map { .list([ValueIndex($0), ValueIndex($0)]) }
    var macro = Call(.constant)
    macro.parameters = ["value": ValueIndex(30)]
    container.macros = [macro]
    let error = #expect(throws: ContainerEncodingError.self) { try JSONContainerEncoder().encode(container) }
    #expect(error?.code == .tooLarge)
  }
}

extension CompiledContainer {
  fileprivate mutating func add(_ node: ValueNode) {
    pool.nodes.append(node)
    tags[0].parameters["added"] = ValueIndex(pool.nodes.count - 1)
  }
}
