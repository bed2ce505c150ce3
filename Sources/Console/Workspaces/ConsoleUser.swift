/// A person who may use the console (CO-901).
package struct ConsoleUser: Sendable, Hashable {
  package var id: String
  package var name: String
  /// Wall milliseconds.
  package var created: Int64

  package init(id: String, name: String, created: Int64) {
    self.id = id
    self.name = name
    self.created = created
  }
}
