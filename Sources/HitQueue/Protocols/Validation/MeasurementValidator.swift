import Hits

/// Judges Measurement Protocol v1 hits by the table of HQ-703, without a network.
public struct MeasurementValidator: Sendable {
  /// The properties that are registered here; empty where any is taken.
  public var properties: Set<String>

  /// Makes a validator.
  public init(properties: Set<String> = []) { self.properties = properties }

  /// The hits of a file, one a line, as the validation server would report them.
  public func report(on file: [UInt8]) -> MeasurementReport {
    MeasurementReport(of: FormFields.lines(of: file), bytes: nil, method: "POST", by: self)
  }

  /// What is to be said of one hit: what is missing first, then its fields in their order.
  package func messages(for line: ArraySlice<UInt8>) -> [MeasurementMessage] {
    let limit = MeasurementProtocol().limits.hitBytes
    guard line.count <= limit else {
      return [MeasurementMessage(.error, .hitTooLarge, "The hit has more than \(limit) bytes.")]
    }
    let fields = FormFields(line)
    let kind = fields["t"].flatMap { HitKind(wireName: $0) }
    // Without a type, no field is of another type.
    let hygiene = FieldHygiene(fields.dictionary, kind: kind ?? .custom("hit"))
    let warnings = Dictionary(grouping: hygiene.warnings, by: \.field)
    var messages = missing(fields, kind, hygiene)
    let named = Set(messages.compactMap(\.parameter))
    for field in fields.fields where !named.contains(field.name) {
      messages += judge(field, warnings[field.name] ?? [])
    }
    return messages
  }

  private func missing(_ fields: FormFields, _ kind: HitKind?, _ hygiene: FieldHygiene) -> [MeasurementMessage] {
    func isMissing(_ name: String) -> Bool { fields[name].map { CleanText($0).text.isEmpty } ?? true }
    var names = ["v", "tid", "t"].filter(isMissing)
    if isMissing("cid"), isMissing("uid") { names.append("cid") }
    for name in kind?.requiredFields ?? [] where isMissing(name) {
      if name == "dl", !isMissing("dh"), !isMissing("dp") { continue }
      names.append(name)
    }
    if ["purchase", "refund"].contains(hygiene["pa"]), isMissing("ti") { names.append("ti") }
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }.map {
      MeasurementMessage(.error, .valueRequired, "A value is required for parameter '\($0)'.", parameter: $0)
    }
  }

  private func judge(_ field: FormFields.Field, _ warnings: [FieldWarning]) -> [MeasurementMessage] {
    let name = CleanText(field.name, limit: 64).text
    if let fault = fault(of: field) { return [Self.invalid(name, fault)] }
    var messages: [MeasurementMessage] = []
    for warning in warnings {
      switch warning.reason {
      case .wrongType: messages.append(Self.invalid(name, "the value is of another type"))
      case .indexOutOfRange:
        messages.append(
          MeasurementMessage(.warning, .valueOutOfBounds, "No hit may use the index of '\(name)'.", parameter: name))
      case .unknownName, .invalidName, .tooManyUnknown:
        guard messages.isEmpty else { continue }
        messages.append(
          MeasurementMessage(.warning, .parameterUnknown, "Parameter '\(name)' is not known.", parameter: name))
      case .otherKind:
        messages.append(
          MeasurementMessage(
            .warning, .parameterNotForType, "Parameter '\(name)' belongs to another type of hit.", parameter: name))
      case .reserved: break
      }
    }
    if let limit = Self.limit(of: field.name), CleanText(field.value).text.utf8.count > limit {
      messages.append(
        MeasurementMessage(
          .warning, .valueOutOfBounds, "The value of '\(name)' is cut to \(limit) bytes.", parameter: name))
    }
    return messages + judgeSpecial(field)
  }

  /// What is wrong with the fields that a client's library writes itself; nil when nothing is, or the field is another.
  private func fault(of field: FormFields.Field) -> String? {
    guard !CleanText(field.value).text.isEmpty else { return nil }
    switch field.name {
    case "v": return field.value == "1" ? nil : "the version is 1"
    case "t": return HitKind(wireName: field.value) == nil ? "there is no such type of hit" : nil
    case "tid":
      // Any other text is a property only where it is registered as one.
      let isTracking = field.value.hasPrefix("UA-") && TrackerNames.isProperty(field.value)
      return isTracking || properties.contains(field.value) ? nil : "it is no tracking ID"
    case "qt", "_s": return Int64(field.value).map { $0 >= 0 } == true ? nil : "it is no whole number from 0"
    case "ht": return Int64(field.value) == nil ? "it is no whole number" : nil
    default: return nil
    }
  }

  private func judgeSpecial(_ field: FormFields.Field) -> [MeasurementMessage] {
    switch field.name {
    case "qt" where Int64(field.value) ?? 0 > 14_400_000:
      [
        MeasurementMessage(
          .warning, .valueOutOfBounds, "A hit older than four hours may not be processed.", parameter: "qt")
      ]
    case "tid" where !properties.isEmpty && !properties.contains(field.value):
      [MeasurementMessage(.warning, .propertyUnknown, "The property is not registered here.", parameter: "tid")]
    default: []
    }
  }

  private static func invalid(_ name: String, _ reason: String) -> MeasurementMessage {
    MeasurementMessage(
      .error, .valueInvalid, "The value of parameter '\(name)' is invalid: \(reason).", parameter: name)
  }

  /// The bytes that a field's text may have; nil where it is no text, or has no bound.
  private static func limit(of name: String) -> Int? {
    switch MeasurementParameter.lookUp(name) {
    case .known(let parameter): if case .text(let limit) = parameter.form { limit } else { nil }
    case .unknown: FieldHygiene.unknownLimit.bytes
    case .indexOutOfRange: nil
    }
  }
}
