import Hits
import TagManager

/// A container's calls, rules and values in the notation of the corpus' `decoded` files.
struct Notation {
  let container: CompiledContainer

  func call(_ call: Call, _ kind: FunctionKind) -> Value {
    var keys: [String: Value] = ["function": .string(call.function.rawValue)]
    for (key, value) in call.parameters { keys[key] = self.value(value) }
    if !call.name.isEmpty { keys["instance_name"] = .string(call.name) }
    keys["instance_label"] = call.label.map(Value.string)
    keys["not_default_macro"] = call.isNotDefault ? true : nil
    keys["push_after_evaluate"] = call.pushAfterEvaluate.map(value)
    keys["tag_id"] = call.tagID.map { Int64($0).map(Value.int) ?? .string($0) }
    if call.priority != 0 { keys["priority"] = .int(call.priority) }
    return .map(keys)
  }

  func value(_ index: ValueIndex) -> Value {
    switch container.pool[index] {
    case .constant(let value): value
    case .list(let items): ["$list": .list(items.map(value))]
    case .template(let items): ["$template": .list(items.map(value))]
    case .map(let entries): ["$map": .list(entries.map { [value($0.key), value($0.value)] })]
    case .macro(let name): ["$macro": .string(name)]
    case .escape(let inner, let codes): ["$escape": .list([value(inner)] + codes.map { .int(Int64($0)) })]
    case .tag(let tag): ["$tag": [.int(Int64(tag.tag)), .int(Int64(tag.flag))]]
    }
  }

  func rule(_ rule: Rule) -> Value {
    var keys: [String: Value] = ["id": .string(rule.id), "name": .string(rule.name)]
    for (key, list) in [
      ("positivePredicate", rule.positive), ("negativePredicate", rule.negative), ("addTag", rule.addedTags),
      ("removeTag", rule.removedTags), ("addMacro", rule.addedMacros), ("removeMacro", rule.removedMacros),
    ] where !list.isEmpty {
      keys[key] = .list(list.map { .int(Int64($0)) })
    }
    return .map(keys)
  }
}
