/// One field as it may be stored, and what had to be done for it (HQ-112, HQ-130 to HQ-137).
///
/// It does not depend on the hit: a value that goes with many hits is cleaned once for all of them.
package struct CleanField: Sendable, Hashable {
  /// The wire name.
  package let name: String
  /// What the name begins with, by which names are told apart.
  package let key: FieldKey
  /// The value as it goes on the wire; nil when nothing is left of it.
  package private(set) var value: String?
  /// The kinds of hit it belongs to.
  private(set) var kinds = HitKinds.all
  /// Whether the text was cut.
  private(set) var isTruncated = false
  /// What the app should know.
  private(set) var warning: FieldWarning.Reason?

  /// Cleans a field; cleaning what is clean changes nothing.
  package init(_ name: String, _ value: String) {
    self.name = name
    key = FieldKey(of: name)
    switch MeasurementParameter.lookUp(name) {
    case .known(let parameter):
      if parameter.isReserved {
        warning = .reserved
      } else {
        kinds = parameter.kinds
        read(value, as: parameter.form)
      }
    case .indexOutOfRange:
      warning = .indexOutOfRange
    case .unknown:
      guard FieldName.isValid(name) else {
        warning = .invalidName
        return
      }
      read(value, as: .text(limit: FieldHygiene.unknownLimit.bytes))
      if self.value != nil { warning = .unknownName }
    }
  }

  /// Takes a field as it is.
  init(unchecked name: String, _ value: String) {
    self.name = name
    key = FieldKey(of: name)
    self.value = value
  }

  /// Whether it comes before another in the order of their names.
  func precedes(_ other: CleanField) -> Bool { key == other.key ? name < other.name : key < other.key }

  /// Whether the value was left out because it is none.
  var isRefused: Bool {
    switch warning {
    case .indexOutOfRange, .invalidName, .wrongType, .tooManyUnknown: true
    case .reserved, .unknownName, .otherKind, nil: false
    }
  }

  private mutating func read(_ value: String, as form: MeasurementParameter.Form) {
    if case .text(let limit) = form {
      let text = CleanText(value, limit: limit)
      isTruncated = text.isTruncated
      keep(text.text)
      return
    }
    switch WireValue.read(value, as: form) {
    case .value(let wire): keep(wire)
    case .nothing: break
    case .invalid: if !CleanText(value).text.isEmpty { warning = .wrongType }
    }
  }

  private mutating func keep(_ value: String) { self.value = value.isEmpty ? nil : value }
}

extension [CleanField] {
  /// Cleans fields and puts them in the order of their names.
  package init(cleaning fields: [String: String]) {
    self = fields.map { CleanField($0.key, $0.value) }
    sort { $0.precedes($1) }
  }

  /// These fields without some, and with later ones, which win; all are in the order of their names.
  package func merged(with later: [CleanField], without names: Set<String> = []) -> [CleanField] {
    var merged: [CleanField] = []
    merged.reserveCapacity(count + later.count)
    var next = 0
    for field in self where names.isEmpty || !names.contains(field.name) {
      while next < later.count, later[next].precedes(field) {
        merged.append(later[next])
        next += 1
      }
      if next == later.count || field.precedes(later[next]) { merged.append(field) }
    }
    merged += later[next...]
    return merged
  }

  /// The value of the field of a name.
  package func value(of name: String) -> String? { index(of: name).flatMap { self[$0].value } }

  /// The place of the field of a name.
  func index(of name: String) -> Int? {
    let key = FieldKey(of: name)
    return firstIndex { $0.key == key && $0.name == name }
  }

  /// The value of the field of a name that stands in the program, of at most seven bytes.
  @inline(__always)
  package func value(named name: StaticString) -> String? {
    // The eighth byte of the key is zero, and no valid name has a zero byte: the key is the whole name.
    let key = FieldKey(name)
    return firstIndex { $0.key == key }.flatMap { self[$0].value }
  }
}
