import Authoring
import Hits

/// A type of tags or variables that has an editor of its own.
struct EntityType: Sendable {
  /// What the export calls it.
  var id: String
  var name: String
  /// What it is for, in a sentence.
  var help: String
  var fields: [ParameterField]

  init(_ id: String, _ name: String, _ help: String, _ fields: [ParameterField] = []) {
    self.id = id
    self.name = name
    self.help = help
    self.fields = fields
  }
}

extension EntityType {
  /// Writes parameters into a form.
  func write(_ parameters: [Parameter], into typed: inout TypedFields) {
    for field in fields { field.write(parameters.last { $0.key == field.key }, into: &typed) }
  }

  /// The parameters after a form; what the form does not show, or nobody has changed, stays as it was (CO-201).
  func parameters(_ typed: TypedFields, former: [Parameter]) -> [Parameter] {
    var before = TypedFields()
    write(former, into: &before)
    var result = former
    for field in fields where !isSame(field, typed, before) {
      let position = result.lastIndex { $0.key == field.key }
      let made = field.made(typed, former: position.map { result[$0] })
      switch (position, made) {
      case (let position?, let made?): result[position] = made
      case (let position?, nil): result.remove(at: position)
      case (nil, let made?): result.append(made)
      case (nil, nil): break
      }
    }
    return result
  }

  private func isSame(_ field: ParameterField, _ typed: TypedFields, _ before: TypedFields) -> Bool {
    let columns = field.columns.map(\.key)
    guard columns.isEmpty else { return typed.rows(field.input, columns) == before.rows(field.input, columns) }
    return (typed[field.input] ?? "") == (before[field.input] ?? "")
  }

  /// What is wrong with a form, by input.
  func problems(_ typed: TypedFields) -> [String: String] {
    var problems: [String: String] = [:]
    for field in fields {
      let columns = field.columns.map(\.key)
      let isEmpty = columns.isEmpty ? typed.line(field.input).isEmpty : typed.rows(field.input, columns).isEmpty
      let isReplaced = field.substitute.map { !typed.line(ParameterField.input($0)).isEmpty } ?? false
      if field.isRequired, isEmpty, !isReplaced { problems[field.input] = "\(field.label) is missing." }
    }
    return problems
  }

  /// Whether the form can show all the parameters it has inputs for without leaving anything out.
  func isShowable(_ parameters: [Parameter]) -> Bool {
    fields.allSatisfy { field in
      let own = parameters.filter { $0.key == field.key }
      guard own.count < 2, let parameter = own.first else { return own.isEmpty }
      if case .collection = field.kind, parameter.kind == .template { return false }
      return field.isShowable(parameter)
    }
  }
}
