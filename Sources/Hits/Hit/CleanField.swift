/// One field as it may be stored, and what had to be done for it (HQ-112, HQ-130 to HQ-137).
///
/// It does not depend on the hit: a value that goes with many hits is cleaned once for all of them.
package struct CleanField: Sendable, Hashable {
  /// The wire name.
  package let name: String
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
    self.value = value
  }

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
    sort { $0.name < $1.name }
  }

  /// These fields without some, and with later ones, which win; all are in the order of their names.
  package func merged(with later: [CleanField], without names: Set<String> = []) -> [CleanField] {
    var merged: [CleanField] = []
    merged.reserveCapacity(count + later.count)
    var next = 0
    for field in self where names.isEmpty || !names.contains(field.name) {
      while next < later.count, later[next].name < field.name {
        merged.append(later[next])
        next += 1
      }
      if next == later.count || later[next].name != field.name { merged.append(field) }
    }
    merged += later[next...]
    return merged
  }
}
