import Hits

/// Which hits are looked at (CO-701).
struct HitFilter: Sendable, Hashable {
  var property = ""
  var kind = ""
  var result = ""
  var version = ""

  init(_ typed: TypedFields) {
    property = typed.line("property")
    kind = typed.line("kind")
    result = typed.line("result")
    version = typed.line("version")
  }

  func holds(_ hit: JudgedHit) -> Bool {
    guard property.isEmpty || hit.property == property, kind.isEmpty || hit.kind == kind,
      result.isEmpty || hit.result == result
    else { return false }
    return version.isEmpty || HitFacts(hit).fields["av"] == version
  }

  func apply(to address: PageAddress) -> PageAddress {
    func given(_ text: String) -> String? { text.isEmpty ? nil : text }
    return address.asking("property", given(property)).asking("kind", given(kind)).asking("result", given(result))
      .asking("version", given(version))
  }
}

/// What one hit says, by name.
struct HitFacts: Sendable {
  var fields: [String: String] = [:]
  var name: String?
  var parameters: [String: Value]?
  /// Why it was refused.
  var reason: String?

  init(_ hit: JudgedHit) {
    switch hit {
    case .accepted(let hit), .duplicate(let hit):
      let summary = IntakeSummary(PositionedHit(position: 0, hit: hit))
      fields = summary.fields
      name = summary.name
      parameters = summary.parameters
    case .rejected(let hit):
      fields = FormFields(hit.raw).dictionary
      let field = hit.field.map { field in
        ": \(field)" + (FieldTitle.text(field).isEmpty ? "" : " (\(FieldTitle.text(field)))")
      }
      reason = hit.code.rawValue.lowercased().replacing("_", with: " ") + (field ?? "")
    }
  }

  /// What it is about, in a few words.
  var title: String {
    if let name { return name }
    if let reason { return reason }
    return [fields["cd"], fields["ec"], fields["ea"], fields["el"], fields["exd"], fields["dp"]].compactMap { $0 }
      .joined(separator: " · ")
  }
}
