import Hits

/// One event on its way to GA4.
///
///     event = "{" "name" "params" ["timestamp_micros"] "}"
///
/// The parameters that the library adds come first, so that a surplus never costs them; the others follow in the byte
/// order of their names.
struct GA4Event: Sendable, Hashable {
  var name: String
  var parameters: [String: Value]

  /// Writes the event.
  func write(automatic: [(name: String, value: Value)], micros: Int64?, to writer: inout JSONWriter) {
    writer.put("{\"name\":")
    writer.write(name)
    writer.put(",\"params\":{")
    var isFirst = true
    for (name, value) in automatic + sortedParameters {
      if !isFirst { writer.put(",") }
      isFirst = false
      writer.write(name)
      writer.put(":")
      writer.write(value)
    }
    writer.put("}")
    if let micros { writer.put(",\"timestamp_micros\":\(micros)") }
    writer.put("}")
  }

  private var sortedParameters: [(name: String, value: Value)] {
    parameters.sorted { $0.key.precedesInBytes($1.key) }.map { (name: $0.key, value: $0.value) }
  }
}
