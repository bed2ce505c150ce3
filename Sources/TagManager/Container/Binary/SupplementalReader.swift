import Hits

/// Reads `Supplemental` messages, whose values are written inside each other, without a pool (TM-124).
///
///     Supplemental: 1 name · 2 value · 3 experimentSupplemental
///     GaExperimentSupplemental: 1 valueToPush · 2 valueToClear · 3 experimentRandom
///     GaExperimentRandom: 1 key · 2 minRandom · 3 maxRandom · 4 retainOriginalValue · 5 lifetimeInMilliseconds
struct SupplementalReader {
  let bytes: [UInt8]
  let limits: DecodeLimits

  func read(_ range: Range<Int>) throws(DecodingFault) -> Supplemental {
    var supplemental = Supplemental(name: "")
    var reader = WireReader(bytes, range)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: supplemental.name = try reader.readText(field, limit: limits.textBytes)
      case 3: try readExperiment(try reader.readMessage(field), into: &supplemental)
      default: try reader.skip(field)
      }
    }
    return supplemental
  }

  private func readExperiment(_ range: Range<Int>, into supplemental: inout Supplemental) throws(DecodingFault) {
    var reader = WireReader(bytes, range)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: supplemental.valuesToPush.append(try value(try reader.readMessage(field)))
      case 2:
        if let key = try value(try reader.readMessage(field)).structuralText { supplemental.keysToClear.append(key) }
      case 3: supplemental.randoms.append(try random(try reader.readMessage(field)))
      default: try reader.skip(field)
      }
    }
  }

  private func random(_ range: Range<Int>) throws(DecodingFault) -> ExperimentRandom {
    var random = ExperimentRandom(key: "", range: 0...0, keepsOriginal: false, lifetimeMilliseconds: 0)
    var (lowest, highest): (Int64, Int64) = (0, 2_147_483_647)
    var reader = WireReader(bytes, range)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: random.key = try reader.readText(field, limit: limits.textBytes)
      case 2: lowest = try reader.readInt64(field)
      case 3: highest = try reader.readInt64(field)
      case 4: random.keepsOriginal = try reader.readBool(field)
      case 5: random.lifetimeMilliseconds = try reader.readInt64(field)
      default: try reader.skip(field)
      }
    }
    // Bounds the wrong way round are those of a random macro without any.
    random.range = lowest <= highest ? lowest...highest : 0...2_147_483_647
    return random
  }

  /// A value written in full; what can only be told by evaluating it is absent.
  private func value(_ range: Range<Int>) throws(DecodingFault) -> Value {
    var reader = RawValueReader(
      bytes, until: range.upperBound, counts: .init(values: 1, macros: 0, tags: 0), limits: limits)
    try reader.read(range)
    _ = reader.finish(adding: .constant(.absent))
    return value(0, of: reader.values)
  }

  /// The recursion ends where the reader's did, for each value is inside one that was read before.
  private func value(_ index: Int32, of values: [RawValue]) -> Value {
    switch values[Int(index)] {
    case .constant(let value): return value
    case .list(let items): return .list(items.filter { $0 > index }.map { value($0, of: values) })
    case .map(let keys, let items):
      var map: [String: Value] = [:]
      for (key, item) in zip(keys, items) where key > index && item > index {
        if let key = value(key, of: values).structuralText { map[key] = value(item, of: values) }
      }
      return .map(map)
    case .template, .macroNamedBy, .macroName, .macroIndex, .tagIndex, .tagName: return .absent
    }
  }
}

extension Supplemental {
  /// The supplemental as a message.
  var message: WireWriter {
    var experiment = WireWriter()
    for value in valuesToPush { experiment.write(1, value.inlineMessage) }
    for key in keysToClear { experiment.write(2, Value.string(key).inlineMessage) }
    for random in randoms {
      var message = WireWriter()
      message.write(1, random.key)
      message.write(2, random.range.lowerBound)
      message.write(3, random.range.upperBound)
      message.write(4, random.keepsOriginal)
      message.write(5, random.lifetimeMilliseconds)
      experiment.write(3, message)
    }
    var message = WireWriter()
    message.write(1, name)
    message.write(3, experiment)
    return message
  }
}

extension Value {
  /// The value as a message with all it consists of; a fraction is written as its text, for there is no other way.
  fileprivate var inlineMessage: WireWriter {
    var message = WireWriter()
    switch self {
    case .string(let text):
      message.write(1, RawValue.WireType.string.rawValue)
      message.write(2, text)
    case .int(let number):
      message.write(1, RawValue.WireType.integer.rawValue)
      message.write(8, number)
    case .bool(let flag):
      message.write(1, RawValue.WireType.boolean.rawValue)
      message.write(12, flag)
    case .double, .null, .absent:
      message.write(1, RawValue.WireType.string.rawValue)
      message.write(2, structuralText ?? "")
    case .list(let items):
      message.write(1, RawValue.WireType.list.rawValue)
      for item in items { message.write(3, item.inlineMessage) }
    case .map(let entries):
      message.write(1, RawValue.WireType.map.rawValue)
      let entries = entries.sorted { $0.key.precedesInBytes($1.key) }
      for (key, _) in entries { message.write(4, Value.string(key).inlineMessage) }
      for (_, value) in entries { message.write(5, value.inlineMessage) }
    }
    return message
  }
}
