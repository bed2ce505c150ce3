import Hits
import TagManager
import Testing

@testable import Console

@Suite("API description") struct APIDescriptionTests {
  private let fixture = APIFixture()

  private func document() async throws -> [String: Value] {
    guard case .handle(_, let handler) = fixture.router.decide(method: "GET", path: "/api/openapi.json", headers: [:])
    else { throw WorkspaceStoreError(.notFound, "no description") }
    let response = await handler(ServerRequest(method: "GET", path: "/api/openapi.json"))
    #expect(response.status == 200)
    return response.fields
  }

  @Test("CO-900: every route of the API is described, and everything described is a route")
  func complete() async throws {
    let document = try await document()
    #expect(document["openapi"] == "3.1.0")
    var described: Set<String> = []
    for (path, item) in document["paths"]?.map ?? [:] {
      for method in (item.map ?? [:]).keys where method != "parameters" {
        described.insert("\(method.uppercased()) \(path)")
      }
    }
    var routed: Set<String> = []
    for route in fixture.api.routes where route.path != "/api/openapi.json" {
      for method in route.handlers.keys where method != "HEAD" { routed.insert("\(method) \(route.path)") }
    }
    #expect(described == routed)
    #expect(routed.count == fixture.api.operations.count)
    #expect(Set(fixture.api.operations.map(\.id)).count == fixture.api.operations.count)
  }

  @Test("CO-900: each operation says its scope, its parameters and its answers")
  func operations() async throws {
    let paths = try await document()["paths"]?.map ?? [:]
    for operation in fixture.api.operations {
      let item = try #require(paths["/api/v1" + operation.path]?.map)
      let described = try #require(item[operation.method.lowercased()]?.map)
      #expect(described["operationId"] == .string(operation.id))
      #expect(described["x-scope"]?.string == operation.access.scope?.rawValue)
      let names = (item["parameters"]?.list ?? []).compactMap { $0.map?["name"]?.string }
      let inPath = operation.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { $0.dropFirst().dropLast() }
      #expect(names == inPath.map(String.init))
      #expect(described["responses"]?.map?[String(operation.status)] != nil)
      #expect(described["responses"]?.map?["default"] != nil)
    }
  }

  @Test("every schema that is referred to is there, and each name has one meaning")
  func references() async throws {
    let document = try await document()
    let schemas = document["components"]?.map?["schemas"]?.map ?? [:]
    var referred: Set<String> = []
    func collect(_ value: Value) {
      if let reference = value.map?["$ref"]?.string {
        referred.insert(reference.replacing("#/components/schemas/", with: ""))
      }
      for child in value.map?.values.map({ $0 }) ?? value.list ?? [] { collect(child) }
    }
    collect(.map(document))
    #expect(referred.isSubset(of: schemas.keys))
    #expect(Set(schemas.keys) == referred)
    var meanings: [String: [String]] = [:]
    for operation in fixture.api.operations {
      var found: [APISchema] = []
      if case .json(let schema) = operation.answer { found.append(schema) }
      if case .fields(let schema) = operation.body { found.append(schema) }
      for schema in found {
        let fields = schema.fields.map(\.name)
        #expect(meanings[schema.name] ?? fields == fields, "\(schema.name)")
        meanings[schema.name] = fields
      }
    }
  }
}
