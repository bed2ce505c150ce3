/// What Measurement Protocol v1 says about one parameter: its values, and the kinds of hit it belongs to (HQ-130).
package struct MeasurementParameter: Sendable, Hashable {
  /// The wire name; of an indexed parameter with `#` for each index, such as `pr#ca`.
  package let pattern: String
  /// What its values are.
  package let form: Form
  /// The kinds of hit it belongs to.
  package let kinds: HitKinds
  /// The greatest value of each index; the least is 1.
  package let indexes: [Int]
  /// Whether the sink itself writes it; what an app sets under this name is not sent.
  package let isReserved: Bool

  /// What the values of a parameter are.
  package enum Form: Sendable, Hashable {
    /// A text of at most so many UTF-8 bytes; nil for no bound of its own.
    case text(limit: Int?)
    /// A whole number, not below the bound if there is one.
    case integer(minimum: Int64?)
    /// A finite number.
    case number
    /// An amount in millionths that fits in 64 bits.
    case currency
    /// `1` or `0`.
    case boolean
    /// `1` or not there.
    case presence
    /// One of the texts.
    case oneOf([String])
    /// Accepted, and never sent.
    case local
  }

  init(_ pattern: String, _ form: Form, on kinds: HitKinds = .all, indexes: [Int] = [], isReserved: Bool = false) {
    self.pattern = pattern
    self.form = form
    self.kinds = kinds
    self.indexes = indexes
    self.isReserved = isReserved
  }
}

/// A set of hit kinds, as far as Measurement Protocol v1 has them.
package struct HitKinds: OptionSet, Sendable, Hashable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let screenView = HitKinds(rawValue: 1)
  package static let pageView = HitKinds(rawValue: 2)
  package static let event = HitKinds(rawValue: 4)
  package static let exception = HitKinds(rawValue: 8)
  package static let timing = HitKinds(rawValue: 16)
  package static let social = HitKinds(rawValue: 32)
  package static let transaction = HitKinds(rawValue: 64)
  package static let item = HitKinds(rawValue: 128)
  /// Any kind that carries a product action `pa`.
  package static let productAction = HitKinds(rawValue: 256)
  package static let all = HitKinds(rawValue: .max)

  /// The set of one kind; empty for what the protocol does not have.
  package init(_ kind: HitKind) {
    switch kind {
    case .screenView: self = .screenView
    case .pageView: self = .pageView
    case .event: self = .event
    case .exception: self = .exception
    case .timing: self = .timing
    case .social: self = .social
    case .transaction: self = .transaction
    case .item: self = .item
    case .custom, .beacon: self = []
    }
  }
}

extension MeasurementParameter {
  /// What is known about a wire name.
  package enum Lookup: Sendable, Hashable {
    case known(MeasurementParameter)
    /// An indexed name whose index no hit may use.
    case indexOutOfRange
    case unknown
  }

  /// Finds the parameter of a wire name.
  package static func lookUp(_ name: String) -> Lookup {
    if let parameter = plain[name] { return .known(parameter) }
    guard let (pattern, indexes) = split(name), let parameter = indexed[pattern] else { return .unknown }
    return zip(indexes, parameter.indexes).allSatisfy { 1...$1 ~= $0 } ? .known(parameter) : .indexOutOfRange
  }

  private static let plain = byPattern(all.filter(\.indexes.isEmpty))
  private static let indexed = byPattern(all.filter { !$0.indexes.isEmpty })

  private static func byPattern(_ parameters: [MeasurementParameter]) -> [String: MeasurementParameter] {
    Dictionary(parameters.map { ($0.pattern, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The pattern of an indexed name and its indexes; nil when the name has none, or one that is no plain number.
  private static func split(_ name: String) -> (pattern: String, indexes: [Int])? {
    var pattern = ""
    var indexes: [Int] = []
    var isInNumber = false
    for byte in name.utf8 {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else {
        pattern.unicodeScalars.append(Unicode.Scalar(byte))
        isInNumber = false
        continue
      }
      let digit = Int(byte - UInt8(ascii: "0"))
      if isInNumber, let last = indexes.last {
        guard last > 0, last < 1_000_000 else { return nil }
        indexes[indexes.count - 1] = last * 10 + digit
      } else {
        pattern += "#"
        indexes.append(digit)
        isInNumber = true
      }
    }
    return indexes.isEmpty ? nil : (pattern, indexes)
  }
}
