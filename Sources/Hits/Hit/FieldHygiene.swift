/// The fields of a hit as they may be stored, and what had to be done for it (HQ-110, HQ-112, HQ-130 to HQ-137).
///
/// Nothing bad is ever stored: an optional value that is none is left out with a warning, a required one refuses the
/// hit. Cleaning what is clean changes nothing. The names that the sink writes itself, such as `z`, are taken out.
package struct FieldHygiene: Sendable, Hashable {
  /// The fields that are left, with their values as they go on the wire.
  package private(set) var fields: [String: String]
  /// Why the hit is refused; nil when it is fine.
  package private(set) var refusal: Refusal?
  /// How many texts were cut (`values.truncated`).
  package private(set) var truncated = 0
  /// How many values were left out because they are none (`values.refused`).
  package private(set) var refused = 0
  /// What the app should know, by field; a sink logs each name once.
  package private(set) var warnings: [FieldWarning] = []
  private var unknown: [String] = []
  private var invalidRequired: Set<String> = []

  /// Bytes of an unknown parameter's value, and how many of them a hit may have (HQ-112).
  package static let unknownLimit = (bytes: 2_048, count: 40)

  /// Cleans the fields of a hit, with those that its tracker gives.
  package init(_ fields: [String: String], kind: HitKind) {
    self.fields = fields
    if kind == .beacon {
      checkBeacon()
      return
    }
    let kinds = HitKinds(kind).union(fields["pa"] == nil ? [] : .productAction)
    for (name, value) in fields { clean(name, value, kinds: kinds, kind: kind) }
    dropSurplus()
    if kind == .exception, self.fields["exf"] == nil { self.fields["exf"] = "0" }
    checkRequired(kind)
  }

  private mutating func clean(_ name: String, _ value: String, kinds: HitKinds, kind: HitKind) {
    switch MeasurementParameter.lookUp(name) {
    case .known(let parameter):
      if parameter.isReserved {
        drop(name, .reserved)
      } else {
        if parameter.kinds.isDisjoint(with: kinds), kinds != [] { warn(name, .otherKind) }
        clean(name, value, as: parameter.form, kind: kind)
      }
    case .indexOutOfRange:
      refuse(name, .indexOutOfRange)
    case .unknown:
      guard FieldName.isValid(name) else { return refuse(name, .invalidName) }
      clean(name, value, as: .text(limit: Self.unknownLimit.bytes), kind: kind)
      if self.fields[name] != nil {
        unknown.append(name)
        warn(name, .unknownName)
      }
    }
  }

  private mutating func clean(_ name: String, _ value: String, as form: MeasurementParameter.Form, kind: HitKind) {
    if case .text(let limit) = form {
      let text = CleanText(value, limit: limit)
      if text.isTruncated { truncated += 1 }
      keep(text.text, insteadOf: value, for: name)
      return
    }
    switch WireValue.read(value, as: form) {
    case .value(let wire): keep(wire, insteadOf: value, for: name)
    case .nothing: fields[name] = nil
    case .invalid where CleanText(value).text.isEmpty: fields[name] = nil
    case .invalid:
      if kind.requiredFields.contains(name) { invalidRequired.insert(name) }
      refuse(name, .wrongType)
    }
  }

  private mutating func keep(_ value: String, insteadOf old: String, for name: String) {
    if value.isEmpty { fields[name] = nil } else if value != old { fields[name] = value }
  }

  private mutating func drop(_ name: String, _ reason: FieldWarning.Reason) {
    fields[name] = nil
    warn(name, reason)
  }

  private mutating func refuse(_ name: String, _ reason: FieldWarning.Reason) {
    drop(name, reason)
    refused += 1
  }

  private mutating func warn(_ name: String, _ reason: FieldWarning.Reason) {
    warnings.append(FieldWarning(field: name, reason: reason))
  }

  private mutating func dropSurplus() {
    guard unknown.count > Self.unknownLimit.count else { return }
    for name in unknown.sorted().dropFirst(Self.unknownLimit.count) { refuse(name, .tooManyUnknown) }
  }

  private mutating func checkRequired(_ kind: HitKind) {
    if case .custom(let name) = kind {
      if CleanText(name).text.isEmpty { refusal = .missingField("name") }
      return
    }
    for name in kind.requiredFields where fields[name] == nil {
      if name == "dl", fields["dh"] != nil, fields["dp"] != nil { continue }
      refusal = invalidRequired.contains(name) ? .invalidValue(name) : .missingField(name)
      return
    }
    let action = fields["pa"]
    if action == "purchase" || action == "refund", fields["ti"] == nil { refusal = .missingField("ti") }
  }

  private mutating func checkBeacon() {
    guard let url = fields["url"], !url.isEmpty else {
      refusal = .missingField("url")
      return
    }
    if url.utf8.count > WebURL.longest {
      refusal = .tooLarge(bytes: url.utf8.count, limit: WebURL.longest)
    } else if WebURL(url) == nil {
      refusal = .invalidValue("url")
    }
  }
}

/// Something about a field that the app's author should know.
package struct FieldWarning: Sendable, Hashable {
  /// The wire name.
  package var field: String
  /// What is wrong.
  package var reason: Reason

  package init(field: String, reason: Reason) {
    self.field = field
    self.reason = reason
  }

  package enum Reason: String, Sendable, Hashable {
    /// Not a name that a field can have.
    case invalidName
    /// A name that no table knows; the field is sent.
    case unknownName
    /// One more unknown name than a hit may have.
    case tooManyUnknown
    /// Outside the indexes that the parameter has.
    case indexOutOfRange
    /// Not a value of the parameter's type.
    case wrongType
    /// The sink writes this field itself.
    case reserved
    /// A parameter of another kind of hit; the field is sent.
    case otherKind
  }
}

/// The grammar of wire names: a letter or `_`, then letters, digits, `_` and `.`; at most 64 bytes (HQ-112).
package enum FieldName {
  package static func isValid(_ name: String) -> Bool {
    let bytes = name.utf8
    guard (1...64).contains(bytes.count), let first = bytes.first, isLetter(first) else { return false }
    return bytes.allSatisfy {
      isLetter($0) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: ".")
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
  }
}
