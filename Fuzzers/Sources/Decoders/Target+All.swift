import Foundation
import Hits
import TagManager

extension Target {
  /// Every decoder of input from outside.
  public static func all() -> [Target] {
    [
      Target(
        "binary", .message, seeds: Seeds.binary + Seeds.samples("GTM-SHOP") + Seeds.corpus("legacy_binary"), run: decode
      ),
      Target(
        "json", .json,
        seeds: Seeds.json + Seeds.samples(".json") + Seeds.corpus("v5_json") + Seeds.corpus("legacy_json"),
        run: decode),
      Target("propertyList", .text, seeds: Seeds.propertyLists + Seeds.corpus("legacy_plist"), run: decode),
      Target("reader", .json, seeds: Seeds.json, run: read),
      workspace,
    ]
  }

  /// A container of any form: there is one, or an error that says why not; what is written again, reads the same.
  private static func decode(_ bytes: [UInt8]) -> Verdict {
    let result = ContainerDecoder.decode(Data(bytes), id: nil)
    guard let container = result.container else {
      guard let error = result.error else { return .broken("neither a container nor an error") }
      return .refused(error.code.rawValue)
    }
    if let error = result.error { return .broken("a container and the error \(error.code)") }
    if result.form == .binary, let written = try? BinaryContainerEncoder().encode(container) {
      return isSame(container, written) ? .accepted : .broken("written in binary, the container reads differently")
    }
    if result.form == .compiledJSON, let written = try? JSONContainerEncoder().encode(container) {
      return isSame(container, written) ? .accepted : .broken("written in JSON, the container reads differently")
    }
    return .accepted
  }

  private static func isSame(_ container: CompiledContainer, _ written: [UInt8]) -> Bool {
    ContainerDecoder.decode(Data(written), id: nil).container == container
  }

  /// The reader of JSON: what it writes, it reads back.
  private static func read(_ bytes: [UInt8]) -> Verdict {
    do throws(JSONError) {
      let value = try Value(json: bytes)
      return try Value(json: value.jsonBytes) == value ? .accepted : .broken("writing and reading changes the value")
    } catch { return .refused(error.code.rawValue) }
  }
}
