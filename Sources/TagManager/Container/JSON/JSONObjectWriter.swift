import Hits

/// A JSON object in the making; its keys are given in byte order.
struct JSONObjectWriter {
  private var writer = JSONWriter()
  private var isEmpty = true

  init() { writer.put("{") }

  mutating func write(_ key: String, _ value: Value) {
    begin(key)
    writer.write(value)
  }

  mutating func write(_ key: String, _ object: JSONObjectWriter) { write(key, object.finished()) }

  /// Writes a value that is JSON already.
  mutating func write(_ key: String, _ json: [UInt8]) {
    begin(key)
    writer.put(json)
  }

  /// The object with its end.
  func finished() -> [UInt8] { writer.bytes + [UInt8(ascii: "}")] }

  private mutating func begin(_ key: String) {
    if !isEmpty { writer.put(",") }
    isEmpty = false
    writer.write(key)
    writer.put(":")
  }
}
