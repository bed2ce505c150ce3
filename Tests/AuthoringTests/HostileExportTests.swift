import Foundation
import Hits
import TestSupport
import Testing

@testable import Authoring
@testable import TagManager

@Suite struct HostileExportTests {
  @Test("CO-206: thousands of equal faults are named a hundred times and counted")
  func manyFaults() {
    let tags = (0..<5_000).map { Tag("t\($0)", id: "\($0)", [Parameter("x", "{{no}}")]) }
    let diagnostics = Workspace.sketch(tags: tags, triggers: [Trigger("a")]).diagnostics
    #expect(diagnostics.filter { $0.code == .unknownReference }.count == 100)
    #expect(diagnostics.last { $0.code == .unknownReference }?.message.contains("4900 more") == true)
  }

  @Test("CO-206: a chain and a net of 20,000 references are walked once, without recursion")
  func longReferences() {
    let chain = (0..<20_000).map { number in
      Variable("v\(number)", id: "\(number)", [Parameter("name", number == 0 ? "end" : "{{v\(number - 1)}}")])
    }
    #expect(Workspace.sketch(variables: chain).codes == [])
    var ring = chain
    ring[0].parameters = [Parameter("name", "{{v19999}}")]
    let cycle = Workspace.sketch(variables: ring).diagnostics.filter { $0.severity == .error }
    #expect(cycle.map(\.code) == [.referenceCycle])
    #expect((cycle.first?.message.utf8.count ?? 0) < 1_000)
    let text = (0..<200).map { "{{n\($0)}}" }.joined()
    let net = (0..<200).map { Variable("n\($0)", id: "\($0)", [Parameter("name", text)]) }
    #expect(Set(Workspace.sketch(variables: net).codes) == ["referenceCycle"])
  }

  @Test("CO-206: parameters that nest deeper than an import allows are refused, not followed")
  func deepParameters() {
    var parameter = Parameter("x", "y")
    for _ in 0..<500 { parameter = Parameter("x", list: [parameter]) }
    let workspace = Workspace.sketch(tags: [Tag("t", [parameter])], triggers: [Trigger("a")])
    #expect(workspace.codes == ["wrongType"])
    #expect(workspace.compiled(CompileSettings { $0.count }).container == nil)
  }

  @Test("CO-206: 50,000 entities of one name and id are diagnosed and merged in bounded time")
  func sameNames() {
    let tags = Array(repeating: Tag("t"), count: 50_000)
    let workspace = Workspace.sketch(tags: tags, triggers: [Trigger("a")])
    #expect(Set(workspace.codes) == ["duplicateID", "duplicateName"])
    #expect(workspace.compiled(CompileSettings { $0.count }).container == nil)
    var other = Workspace.sketch(tags: [Tag("t", more: ["notes": "other"])])
    other.fields["x"] = 1
    let plan = ImportPlan(of: workspace, into: other, mode: .merge(onConflict: .rename))
    #expect(plan.workspace.tags.count == 50_001)
    #expect(Set(plan.workspace.tags.map(\.name)).count == 50_001)
    #expect(Set(plan.workspace.tags.map(\.id)).count == 50_001)
  }

  @Test("CO-303: what is above the compressed limit is refused, and the largest parts are named")
  func tooLarge() throws {
    let random = SeededRandomSource(seed: 9)
    func noise(_ bytes: Int) -> String { (0..<bytes / 16).map { _ in String(random.next(), radix: 16) }.joined() }
    var tags = (0..<20).map { Tag("small \($0)", id: "\($0)", [Parameter("x", "\($0)")]) }
    tags.append(Tag("large", id: "99", (0..<4).map { Parameter("x\($0)", noise(700_000)) }))
    let variables = [Variable("medium", type: "c", [Parameter("value", noise(400_000))])]
    let workspace = Workspace.sketch(tags: tags, triggers: [Trigger("a")], variables: variables)
    let refused = workspace.compiled(CompileSettings { $0.count })
    #expect(refused.container == nil)
    let message = try #require(refused.diagnostics.first { $0.code == .tooLarge }?.message)
    let large = try #require(message.range(of: "tag \"large\""))
    let medium = try #require(message.range(of: "variable \"medium\""))
    #expect(large.lowerBound < medium.lowerBound)
    // The same container is fine when it compresses well enough.
    #expect(workspace.compiled(CompileSettings { $0.count / 4 }).container != nil)
  }

  @Test("CO-303: more than a decoder reads is refused before it is written")
  func tooMany() {
    let parameters = (0..<1_001).map { Parameter("p\($0)", "x") }
    let workspace = Workspace.sketch(tags: [Tag("t", parameters)], triggers: [Trigger("a")])
    #expect(workspace.compiled(CompileSettings { $0.count }).diagnostics.map(\.code) == [.tooMany])
    let names = (0..<50_001).map { "'n\($0)':1" }.joined(separator: ",")
    let collection = Variable(
      "c", type: "vc", [Parameter("collection", "{\(names)}")], more: ["enablingTriggerId": ["2147479555"]])
    let codes = Workspace.sketch(variables: [collection]).compiled(CompileSettings { $0.count }).diagnostics.map(\.code)
    #expect(Set(codes) == [.tooMany])
  }

  @Test("CO-206: a collection's value without a name is left out, for nothing can ask for it")
  func namelessValue() throws {
    let collection = Variable(
      "c", type: "vc", [Parameter("collection", "{'': 1, 'a': 2}")], more: ["enablingTriggerId": ["2147479555"]])
    let container = try Workspace.sketch(variables: [collection], builtIns: []).compiledContainer()
    #expect(container.macros.map(\.name) == ["a"])
  }

  @Test("CO-201: exports damaged at random are read or refused, validated and compiled without a trap")
  func mutated() throws {
    let random = SeededRandomSource(seed: 11)
    let shop = try Data(contentsOf: SampleWorkspaceTests.file)
    let originals = [Array(shop)] + (try ExportCorpus.paths.filter { $0.contains("mobile") }.map(ExportCorpus.bytes))
    let pieces = ["null", "[]", "{}", "\"\"", "1", "-1e300", "true", "\"{{a}}\"", "\"2147479555\"", "[[[]]]"]
    var compiled = 0
    for _ in 0..<300 {
      var bytes = originals[Int(random.integer(in: 0...Int64(originals.count - 1)))]
      for _ in 0..<random.integer(in: 1...4) {
        let place = Int(random.integer(in: 0...Int64(bytes.count - 1)))
        guard let start = bytes[place...].firstIndex(of: UInt8(ascii: ":")),
          let end = bytes[start...].firstIndex(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\n") })
        else { continue }
        bytes.replaceSubrange(start + 1..<end, with: Array(pieces[Int(random.integer(in: 0...9))].utf8))
      }
      guard let workspace = WorkspaceReading(export: bytes).workspace else { continue }
      let compilation = workspace.compiled(CompileSettings { $0.count })
      #expect((compilation.container == nil) == compilation.diagnostics.contains { $0.severity == .error })
      guard let container = compilation.container else { continue }
      compiled += 1
      let json = try ContainerOutput.json.bytes(of: container)
      #expect(ContainerDecoder.decode(json, id: nil).container == container)
    }
    #expect(compiled > 10)
  }
}
