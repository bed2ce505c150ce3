import Hits

/// A file of pushes: one JSON object a line, empty lines ignored.
struct EventsFile {
  /// The updates in order.
  let updates: [[String: Value]]
  /// The number of each update's line, counted from 1.
  let lines: [Int]

  /// The largest file that is read.
  private static let limit = 64 << 20

  /// Reads a file; `-` is standard input.
  init(path: String) throws(CommandFailure) {
    try self.init(lines: InputFile.bytes(path: path, limit: Self.limit), name: path)
  }

  /// Reads the lines of a file of that name.
  init(lines bytes: [UInt8], name: String) throws(CommandFailure) {
    var updates: [[String: Value]] = []
    var numbers: [Int] = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.allSatisfy({ $0 <= UInt8(ascii: " ") }) {
      let place = "\(name): line \(index + 1)"
      let value: Value
      do throws(JSONError) {
        value = try Value(json: Array(line))
      } catch {
        throw CommandFailure("\(place), byte \(error.offset + 1): \(error.message)")
      }
      guard case .map(let update) = value else {
        throw CommandFailure("\(place): a push is a JSON object, such as {\"event\": \"openScreen\"}")
      }
      updates.append(update)
      numbers.append(index + 1)
    }
    self.updates = updates
    self.lines = numbers
  }
}
