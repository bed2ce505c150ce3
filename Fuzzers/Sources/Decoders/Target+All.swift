import Hits

extension Target {
  /// Every decoder of input from outside.
  public static func all() -> [Target] {
    [
      Target("reader", seeds: Seeds.json + Seeds.samples(".json") + Seeds.corpus("v5_json")) { bytes in
        do throws(JSONError) {
          let value = try Value(json: bytes)
          return try Value(json: value.jsonBytes) == value
            ? .accepted : .broken("writing and reading back changes the value")
        } catch { return .refused(error.code.rawValue) }
      }
    ]
  }
}
