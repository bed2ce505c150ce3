/// The fields of a hit as they may be stored, and what had to be done for it (HQ-110, HQ-112, HQ-130 to HQ-137).
///
/// Nothing bad is ever stored: an optional value that is none is left out with a warning, a required one refuses the
/// hit. Cleaning what is clean changes nothing. The names that the sink writes itself, such as `z`, are taken out.
package struct FieldHygiene: Sendable, Hashable {
  /// The fields that are left, in the order of their names.
  package private(set) var kept: [CleanField] = []
  /// Why the hit is refused; nil when it is fine.
  package private(set) var refusal: Refusal?
  /// How many texts were cut (`values.truncated`).
  package private(set) var truncated = 0
  /// How many values were left out because they are none (`values.refused`).
  package private(set) var refused = 0
  /// What the app should know, by field; a sink logs each name once.
  package private(set) var warnings: [FieldWarning] = []

  /// Bytes of an unknown parameter's value, and how many of them a hit may have (HQ-112).
  package static let unknownLimit = (bytes: 2_048, count: 40)

  /// Cleans the fields of a hit, with those that its tracker gives.
  package init(_ fields: [String: String], kind: HitKind) {
    // A beacon's URL goes out as it was given.
    let isBeacon = kind == .beacon
    self.init(
      isBeacon
        ? fields.map { CleanField(unchecked: $0.key, $0.value) } : [CleanField](cleaning: fields), kind: kind)
  }

  /// Judges fields, each clean for itself and in the order of their names, as those of one hit.
  package init(_ fields: [CleanField], kind: HitKind) {
    if kind == .beacon {
      kept = fields
      checkBeacon()
      return
    }
    let hasAction = fields.contains { $0.key == FieldKey("pa") }
    let kinds = HitKinds(kind).union(hasAction ? .productAction : [])
    kept.reserveCapacity(fields.count + 1)
    var unknown = 0
    for field in fields {
      if field.isTruncated { truncated += 1 }
      if kinds != [], field.kinds.isDisjoint(with: kinds) { warn(field.name, .otherKind) }
      if let reason = field.warning { warn(field.name, reason) }
      if field.isRefused { refused += 1 }
      if field.warning == .unknownName {
        unknown += 1
        if unknown > Self.unknownLimit.count {
          warn(field.name, .tooManyUnknown)
          refused += 1
          continue
        }
      }
      if field.value != nil { kept.append(field) }
    }
    if kind == .exception, self["exf"] == nil {
      kept = kept.merged(with: [CleanField(unchecked: "exf", "0")])
    }
    checkRequired(kind, of: fields)
  }

  /// The value of a field that is left.
  package subscript(name: String) -> String? { kept.value(of: name) }

  /// The fields that are left, with their values as they go on the wire.
  package var fields: [String: String] {
    var fields: [String: String] = [:]
    for field in kept { fields[field.name] = field.value }
    return fields
  }

  private mutating func warn(_ name: String, _ reason: FieldWarning.Reason) {
    warnings.append(FieldWarning(field: name, reason: reason))
  }

  private mutating func checkRequired(_ kind: HitKind, of given: [CleanField]) {
    if case .custom(let name) = kind {
      if CleanText(name).text.isEmpty { refusal = .missingField("name") }
      return
    }
    for name in kind.requiredFields where self[name] == nil {
      if name == "dl", self["dh"] != nil, self["dp"] != nil { continue }
      let isInvalid = given.index(of: name).map { given[$0].warning == .wrongType } ?? false
      refusal = isInvalid ? .invalidValue(name) : .missingField(name)
      return
    }
    let action = kept.value(named: "pa")
    if action == "purchase" || action == "refund", self["ti"] == nil { refusal = .missingField("ti") }
  }

  private mutating func checkBeacon() {
    guard let url = self["url"], !url.isEmpty else {
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
