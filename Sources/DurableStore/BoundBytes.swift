/// The texts and blobs of one run of a statement in one piece of memory, so that SQLite need not copy each of them.
package struct BoundBytes {
  struct Place {
    var index: Int32
    var start: Int
    var count: Int
    var isText: Bool
  }

  private(set) var bytes: [UInt8] = []
  private(set) var places: [Place] = []

  package init() {
    // Even a text without bytes has an address then: SQLite takes none for NULL.
    bytes.reserveCapacity(4096)
  }

  /// Forgets all of it; the memory is kept for the next run.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }

  /// Adds a parameter; without a text it is NULL.
  package mutating func add(_ text: String?, at index: Int32) {
    guard let text else { return }
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    places.append(Place(index: index, start: start, count: bytes.count - start, isText: true))
  }

  /// Adds a parameter.
  package mutating func add(_ blob: some Collection<UInt8>, at index: Int32) {
    let start = bytes.count
    bytes.append(contentsOf: blob)
    places.append(Place(index: index, start: start, count: bytes.count - start, isText: false))
  }
}
