import Authoring
import Hits

/// How a workspace's text comes in and goes out: the export file.
enum WorkspaceText {
  /// Bytes of an export file.
  static let limit = WorkspaceLimits.standard.bytes

  /// Reads an export file from outside or from the store.
  static func workspace(_ text: [UInt8]) throws(APIError) -> Workspace {
    let reading = WorkspaceReading(export: text)
    guard let workspace = reading.workspace else {
      throw .invalid("the export file cannot be read", reading.diagnostics)
    }
    return workspace
  }
}

extension Draft {
  /// The draft as a JSON document, its text as it is.
  var envelope: [UInt8] {
    var writer = JSONWriter()
    writer.put("{\"base\":\(base.map(String.init) ?? "null"),\"revision\":\(revision),\"savedAt\":\(saved.time)")
    writer.put(",\"savedBy\":")
    writer.write(saved.actor.name)
    writer.put(",\"workspace\":")
    writer.put(text)
    writer.put("}")
    return writer.bytes
  }
}
