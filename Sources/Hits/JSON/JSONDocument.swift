/// A JSON text that was read: its bytes and a flat tape of its values, decoded when they are asked for.
///
/// Eight bytes a value and no text copied: a hostile text cannot make it large (TM-160). A document is immutable.
package final class JSONDocument: Sendable {
  let bytes: [UInt8]
  let nodes: [JSONNode]

  /// Reads all of a text, from a place on.
  ///
  /// - Parameters:
  ///   - start: where JSON begins, such as after a byte order mark; offsets still count from the first byte.
  /// - Throws: `JSONError` for text that is not JSON or beyond the limits.
  package init(_ bytes: [UInt8], from start: Int = 0, limits: JSONLimits = .standard) throws(JSONError) {
    var error: JSONError?
    let nodes: [JSONNode] = bytes.withUnsafeBufferPointer { input in
      var reader = JSONReader(input, from: start, limits: limits)
      do throws(JSONError) {
        try reader.read()
      } catch let failure {
        error = failure
      }
      return reader.nodes
    }
    if let error { throw error }
    self.bytes = bytes
    self.nodes = nodes
  }

  /// The value that the text is.
  package var root: JSONElement { JSONElement(document: self, index: 0) }
}
