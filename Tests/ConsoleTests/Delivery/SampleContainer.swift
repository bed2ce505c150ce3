import Authoring
import Hits
import TagManager
import Testing

@testable import Console

/// A small container as an author would export it, and what is compiled from it.
enum SampleContainer {
  static let id: ContainerID = "GTM-TEST"

  /// A workspace with one constant that apps read as `title`.
  static func export(_ title: Value = "first", id: ContainerID = id, context: String = "IOS") -> [UInt8] {
    let variable: [String: Value] = [
      "variableId": "1", "name": "title", "type": "c",
      "parameter": [["type": "TEMPLATE", "key": "value", "value": title]],
    ]
    let version: [String: Value] = [
      "container": ["publicId": .string(id.text), "usageContext": [.string(context)], "name": "Sample"],
      "variable": [.map(variable)],
    ]
    return Value.map(["exportFormatVersion": 2, "containerVersion": .map(version)]).jsonBytes
  }

  static func compiled(
    _ title: Value = "first", sequence: Int64 = 1, version: String = "1", id: ContainerID = id
  ) throws -> CompiledContainer {
    let workspace = try #require(WorkspaceReading(export: export(title, id: id)).workspace)
    var settings = CompileSettings { $0.count }
    settings.version = version
    settings.sequence = sequence
    settings.publishedAt = 1_800_000_000_000 + sequence
    return try #require(workspace.compiled(settings).container)
  }

  static func delivery(
    _ title: Value = "first", sequence: Int64 = 1, id: ContainerID = id, keys: [SigningKey] = []
  ) throws -> ContainerDelivery {
    try ContainerDelivery(compiled(title, sequence: sequence, version: "\(sequence)", id: id), keys: keys)
  }
}
