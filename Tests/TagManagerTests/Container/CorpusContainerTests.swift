import Foundation
import Hits
import TagManager
import TestSupport
import Testing

@Suite("Containers of the corpus")
struct CorpusContainerTests {
  /// A folder, how many files it has, their form, and the error they end in.
  static let folders: [(String, Int, ContainerForm?, Diagnostic.Code?)] = [
    ("legacy_binary", 23, .binary, nil), ("legacy_plist", 1, .propertyList, nil), ("v5_json", 15, .compiledJSON, nil),
    ("export_mobile", 5, .workspaceExport, .workspaceExport), ("export_other", 5, .workspaceExport, .workspaceExport),
  ]

  @Test("A10: every public container of every form has its verdict", arguments: folders)
  func verdicts(folder: String, count: Int, form: ContainerForm?, code: Diagnostic.Code?) throws {
    guard let corpus = Corpus.find(for: "Containers of the corpus") else { return }
    let files = try corpus.files(in: "containers/\(folder)")
    #expect(files.count == count)
    for file in files {
      let result = ContainerDecoder.decode(try corpus.data("containers/\(folder)/\(file)"), id: nil)
      #expect(result.form == form, "\(file)")
      #expect(result.error?.code == code, "\(file): \(String(describing: result.error))")
      #expect((result.container != nil) == (code == nil), "\(file)")
    }
  }

  @Test("A10: three flat JSON files load, the fourth is an API's description of a container")
  func flatVerdicts() throws {
    guard let corpus = Corpus.find(for: "Containers of the corpus") else { return }
    let files = try corpus.files(in: "containers/legacy_json")
    #expect(files.count == 4)
    for file in files {
      let result = ContainerDecoder.decode(try corpus.data("containers/legacy_json/\(file)"), id: nil)
      if file.contains("loututu114") {
        #expect(result.error?.code == .containerDescription)
        #expect(result.container == nil)
      } else {
        #expect(result.form == .flatJSON)
        #expect(result.diagnostics.isEmpty)
        #expect(result.container?.macros.allSatisfy { $0.function == .constant } == true)
      }
    }
  }

  @Test("TM-130: the flat form of a public property list is its two constants")
  func flatPropertyList() throws {
    guard let corpus = Corpus.find(for: "Containers of the corpus") else { return }
    let file = try #require(try corpus.files(in: "containers/legacy_plist").first)
    let container = try #require(
      ContainerDecoder.decode(try corpus.data("containers/legacy_plist/\(file)"), id: nil).container)
    #expect(container.semantics == .legacy)
    let notation = Notation(container: container)
    #expect(
      container.macros.map { notation.call($0, .macro) } == [
        ["function": "const", "instance_name": "Adjective", "value": "Cute"],
        ["function": "const", "instance_name": "Title", "value": "Cute Animals"],
      ])
  }

  @Test("A10: the decoded binaries equal what an independent decoder made of them")
  func equalsDecoded() throws {
    guard let corpus = Corpus.find(for: "Containers of the corpus") else { return }
    let files = try corpus.files(in: "containers/decoded")
    #expect(files.count == 23)
    var calls = 0
    var rules = 0
    for file in files {
      let binary = file.replacing(".json", with: ".bin")
      let container = try #require(
        ContainerDecoder.decode(try corpus.data("containers/legacy_binary/\(binary)"), id: nil).container)
      let expected = try #require(try Value(json: Array(try corpus.data("containers/decoded/\(file)"))).map)
      let notation = Notation(container: container)
      #expect(Value.string(container.version) == expected["version"])
      #expect(.list(container.usageContext.map(Value.string)) == expected["usageContext"] ?? [])
      for (key, kind, list) in [
        ("macro", FunctionKind.macro, container.macros), ("tag", .tag, container.tags),
        ("predicate", .predicate, container.predicates),
      ] {
        let wanted = try #require(expected[key]?.list).map { Self.canonical($0, kind) }
        #expect(list.map { notation.call($0, kind) } == wanted, "\(file)")
        calls += list.count
      }
      let wanted = try #require(expected["rule"]?.list).enumerated().map { Self.rule($1, at: $0) }
      #expect(container.rules.map(notation.rule) == wanted, "\(file)")
      rules += container.rules.count
    }
    #expect(calls == 602 + 64 + 102)
    #expect(rules > 100)
  }

  @Test("A10, TM-137: binary to container to binary to container is equal, and so are the bytes the second time")
  func binaryRoundTrip() throws {
    guard let corpus = Corpus.find(for: "Containers of the corpus") else { return }
    for file in try corpus.files(in: "containers/legacy_binary") {
      let container = try #require(
        ContainerDecoder.decode(try corpus.data("containers/legacy_binary/\(file)"), id: nil).container)
      let encoded = try BinaryContainerEncoder().encode(container)
      let again = ContainerDecoder.decode(encoded, id: nil)
      #expect(again.form == .binary)
      #expect(again.container == container, "\(file)")
      #expect(try BinaryContainerEncoder().encode(try #require(again.container)) == encoded)
    }
  }

  @Test("TM-137: every public container survives compiled JSON", arguments: ["legacy_binary", "v5_json"])
  func jsonRoundTrip(folder: String) throws {
    guard let corpus = Corpus.find(for: "Containers of the corpus") else { return }
    for file in try corpus.files(in: "containers/\(folder)") {
      var container = try #require(
        ContainerDecoder.decode(try corpus.data("containers/\(folder)/\(file)"), id: nil).container)
      container.semantics = .standard
      let encoded = try JSONContainerEncoder().encode(container)
      let again = ContainerDecoder.decode(encoded, id: nil)
      #expect(again.form == .compiledJSON)
      #expect(again.container == container, "\(file)")
      #expect(try JSONContainerEncoder().encode(try #require(again.container)) == encoded)
    }
  }

  @Test("TM-134: the generated containers of the rules corpus decode, but for those that are wrong on purpose")
  func ruleCases() throws {
    guard let corpus = Corpus.find(for: "Containers of the corpus") else { return }
    var codes: [Diagnostic.Code: Int] = [:]
    var decoded = 0
    for file in ["clean", "wild", "hand"] {
      for line in try corpus.lines("rules/\(file).jsonl").prefix(200) {
        let value = try Value(json: Array(line))
        guard let resource = value.map?["resource"] else { continue }
        let result = ContainerDecoder.decode(Value.map(["resource": resource]).jsonBytes, id: nil)
        if let error = result.error { codes[error.code, default: 0] += 1 } else { decoded += 1 }
        if let container = result.container {
          #expect(ContainerDecoder.decode(try JSONContainerEncoder().encode(container), id: nil).container == container)
        }
      }
    }
    #expect(decoded > 550)
    #expect(codes == [.unknownValueForm: 2, .unknownClause: 1, .unevenMap: 1, .indexOutOfRange: 6])
  }

  /// A call of a `decoded` file: the function by its canonical name, without the keys that have no meaning (TM-150).
  private static func canonical(_ call: Value, _ kind: FunctionKind) -> Value {
    var keys = call.map ?? [:]
    let id = keys["function"]?.map?["$function"]?.string ?? ""
    keys["function"] = .string(kind.table.name(ofID: id)?.rawValue ?? id)
    for key in ["data_layer_version", "vendor_template_version"] { keys[key] = nil }
    if kind == .tag { keys["once_per_event"] = nil }
    return .map(keys)
  }

  /// A rule of a `decoded` file with one name and one id.
  private static func rule(_ rule: Value, at index: Int) -> Value {
    var keys = rule.map ?? [:]
    let lists = ["addTag", "removeTag", "addMacro", "removeMacro"]
    func first(_ suffix: String) -> Value? {
      lists.lazy.compactMap { keys["\($0)Rule\(suffix)"]?.list?.first { $0 != "" } }.first
    }
    let (name, id) = (first("Name") ?? "", first("Id") ?? .string("r\(index)"))
    for list in lists {
      keys["\(list)RuleName"] = nil
      keys["\(list)RuleId"] = nil
    }
    keys["name"] = name
    keys["id"] = id
    return .map(keys)
  }
}
