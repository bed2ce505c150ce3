import Hits
import TagManager

/// A container in the making: values are appended as they come, and put into canonical order at the end.
struct ContainerDraft {
  private(set) var nodes: [ValueNode] = []
  var macros: [Call] = []
  var tags: [Call] = []
  var predicates: [Call] = []
  var rules: [Rule] = []
  /// Positions of compiled tags by name; paused ones are left out.
  let tagPositions: [String: Int]

  init(_ workspace: Workspace) {
    let names = workspace.tags.lazy.filter { !$0.isPaused }.map(\.name)
    tagPositions = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Variables first, for rules add the macros of collections; then tags, then the rules that add both.
  mutating func compile(_ workspace: Workspace) {
    var links = TriggerLinks()
    for variable in workspace.variables { compile(variable, &links) }
    for builtIn in workspace.enabledBuiltIns { compile(builtIn) }
    for tag in workspace.tags where !tag.isPaused { compile(tag, &links) }
    compileRules(of: workspace, links)
  }

  var container: CompiledContainer {
    CompiledContainer(
      macros: macros, tags: tags, predicates: predicates, rules: rules, pool: ValuePool(nodes: nodes))
  }

  mutating func add(_ node: ValueNode) -> ValueIndex {
    nodes.append(node)
    return ValueIndex(nodes.count - 1)
  }

  /// A text with its references: the value of the variable where it is nothing else, so that its type is kept.
  mutating func text(_ text: String) -> ValueIndex {
    let pieces = TemplateText(text).pieces
    switch pieces.first {
    case nil: return add(.constant(""))
    case let piece? where pieces.count == 1: return add(piece)
    default:
      let parts = pieces.map { add($0) }
      return add(.template(parts))
    }
  }

  private mutating func add(_ piece: TemplateText.Piece) -> ValueIndex {
    switch piece {
    case .text(let text): add(.constant(.string(text)))
    case .reference(let name): add(.macro(name: name))
    }
  }

  /// The value of a parameter; validation has bounded how deep it nests.
  mutating func value(_ parameter: Parameter) -> ValueIndex {
    switch parameter.kind {
    case .list:
      let items = parameter.items.map { value($0) }
      return add(.list(items))
    case .map:
      let entries = parameter.items.map { entry in
        MapEntry(key: add(.constant(.string(entry.key))), value: value(entry))
      }
      return add(.map(entries))
    case .integer: return Int64(parameter.text).map { add(.constant(.int($0))) } ?? text(parameter.text)
    case .boolean:
      switch parameter.text.lowercased() {
      case "true": return add(.constant(true))
      case "false": return add(.constant(false))
      default: return text(parameter.text)
      }
    case .tagReference:
      let tag = tagPositions[parameter.text].map { ValueNode.tag(TagReference(tag: $0)) }
      return add(tag ?? .constant(.absent))
    case .template, .triggerReference, nil: return text(parameter.text)
    }
  }

  /// A value that stands in the text of a collection; texts in it may refer to variables.
  mutating func value(_ literal: Value) -> ValueIndex {
    switch literal {
    case .string(let text): return self.text(text)
    case .list(let items):
      let items = items.map { value($0) }
      return add(.list(items))
    case .map(let entries):
      let entries = entries.sorted { $0.key.precedesInBytes($1.key) }.map { entry in
        MapEntry(key: add(.constant(.string(entry.key))), value: value(entry.value))
      }
      return add(.map(entries))
    case .null, .absent: return add(.constant(.absent))
    case .int, .double, .bool: return add(.constant(literal))
    }
  }

  /// A call with the parameters of an entity; of a key that is given twice the last counts.
  mutating func call(_ function: FunctionName, name: String, _ parameters: [Parameter]) -> Call {
    var call = Call(function)
    call.name = name
    for parameter in parameters where !parameter.key.isEmpty {
      call.parameters[parameter.key] = value(parameter)
    }
    return call
  }
}

/// What the triggers bring about: positions of tags and macros by the trigger's id, in the order they were compiled.
struct TriggerLinks {
  var firing: [String: [Int32]] = [:]
  var blocking: [String: [Int32]] = [:]
  var enabling: [String: [Int32]] = [:]
  var disabling: [String: [Int32]] = [:]

  func isUsed(_ id: String) -> Bool {
    firing[id] != nil || blocking[id] != nil || enabling[id] != nil || disabling[id] != nil
  }

  static func add(_ position: Int, to ids: [String], _ links: inout [String: [Int32]]) {
    for id in ids where links[id]?.last != Int32(position) { links[id, default: []].append(Int32(position)) }
  }
}
