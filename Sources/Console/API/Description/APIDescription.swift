import Hits

/// The API in OpenAPI 3.1, made of the table of operations.
struct APIDescription {
  let document: [String: Value]

  init(_ operations: [APIOperation]) {
    var paths: [String: Value] = [:]
    var schemas = SchemaCollector()
    for (path, group) in Dictionary(grouping: operations, by: \.path) {
      var item: [String: Value] = [:]
      for operation in group { item[operation.method.lowercased()] = .map(Self.describe(operation, &schemas)) }
      let names = path.split(separator: "/").filter { $0.hasPrefix("{") }.map { $0.dropFirst().dropLast() }
      if !names.isEmpty {
        item["parameters"] = .list(
          names.map { name in
            ["name": .string(String(name)), "in": "path", "required": true, "schema": ["type": "string"]]
          })
      }
      paths[ConsoleAPI.root + path] = .map(item)
    }
    schemas.add(.error)
    document = [
      "openapi": "3.1.0",
      "info": [
        "title": "Tagworks console", "version": .string(ProductInfo.version),
        "description": "Containers, workspaces, versions and publications, for scripts and for the command line.",
      ],
      "paths": .map(paths),
      "components": [
        "schemas": .map(schemas.described),
        "securitySchemes": [
          "token": [
            "type": "http", "scheme": "bearer",
            "description": "A token of the scope read, edit, publish or admin, for one container or for all.",
          ],
          "session": [
            "type": "apiKey", "in": "cookie", "name": .string(BrowserKey.cookie),
            "description": .string(
              "The session of a browser that has signed in; changes take the header \(BrowserKey.header) besides."),
          ],
        ],
      ],
    ]
  }

  private static func describe(_ operation: APIOperation, _ schemas: inout SchemaCollector) -> [String: Value] {
    var item: [String: Value] = [
      "operationId": .string(operation.id), "summary": .string(operation.summary),
      "responses": .map(responses(of: operation, &schemas)),
    ]
    if let scope = operation.access.scope {
      item["security"] = [["token": .list([.string(scope.rawValue)])], ["session": []]]
      item["x-scope"] = .string(scope.rawValue)
    } else {
      item["security"] = []
    }
    if !operation.query.isEmpty {
      item["parameters"] = .list(
        operation.query.map { field in
          [
            "name": .string(field.name), "in": "query", "required": .bool(field.isRequired),
            "description": .string(field.help), "schema": schemas.describe(field.type),
          ]
        })
    }
    switch operation.body {
    case .none: break
    case .fields(let schema):
      item["requestBody"] = [
        "required": .bool(schema.fields.contains(where: \.isRequired)), "content": json(schemas.add(schema)),
      ]
    case .document(let help):
      item["requestBody"] = ["required": true, "description": .string(help), "content": json(["type": "object"])]
    }
    return item
  }

  private static func responses(
    of operation: APIOperation, _ schemas: inout SchemaCollector
  ) -> [String: Value] {
    var good: [String: Value] = ["description": "Done."]
    switch operation.answer {
    case .json(let schema): good["content"] = json(schemas.add(schema))
    case .document(let help):
      good["content"] = json(["type": "object", "description": .string(help)])
    case .file(let types):
      good["content"] = .map(
        Dictionary(types.map { ($0, Value.map([:])) }, uniquingKeysWith: { first, _ in first }))
    case .nothing: break
    }
    return [
      String(operation.status): .map(good),
      "default": ["description": "Refused.", "content": json(schemas.add(.error))],
    ]
  }

  private static func json(_ schema: Value) -> Value { ["application/json": ["schema": schema]] }
}

/// The schemas that a description names.
private struct SchemaCollector {
  private(set) var described: [String: Value] = [:]

  /// Describes a schema once, and refers to it.
  @discardableResult
  mutating func add(_ schema: APISchema) -> Value {
    if described[schema.name] == nil {
      // Before its fields, which may lead back here.
      described[schema.name] = .null
      var properties: [String: Value] = [:]
      for field in schema.fields {
        var property = describe(field.type).map ?? [:]
        property["description"] = .string(field.help)
        properties[field.name] = .map(property)
      }
      described[schema.name] = [
        "type": "object", "properties": .map(properties),
        "required": .list(schema.fields.filter(\.isRequired).map { .string($0.name) }),
      ]
    }
    return ["$ref": .string("#/components/schemas/\(schema.name)")]
  }

  mutating func describe(_ type: APIType) -> Value {
    switch type {
    case .text(let limit): ["type": "string", "maxLength": .int(Int64(limit))]
    case .choice(let names): ["type": "string", "enum": .list(names.map(Value.string))]
    case .integer(let range): ["type": "integer", "minimum": .int(range.lowerBound), "maximum": .int(range.upperBound)]
    case .number(let range):
      ["type": "number", "minimum": .double(range.lowerBound), "maximum": .double(range.upperBound)]
    case .flag: ["type": "boolean"]
    case .object: ["type": "object"]
    case .any: [:]
    case .list(let type): ["type": "array", "items": describe(type)]
    case .schema(let schema): add(schema)
    }
  }
}
