import Hits
import TagManager

/// Triggers become rules, their conditions predicates (CO-204).
///
/// One rule a trigger that is used: it adds the tags it fires, removes those it blocks, and adds or removes the values
/// of collections. The condition on the event's name stands first, so that the rule can be found by it (TM-720).
extension ContainerDraft {
  mutating func compileRules(of workspace: Workspace, _ links: TriggerLinks) {
    var positions: [PredicateKey: Int32] = [:]
    let prefix = workspace.containerNumber.isEmpty ? "" : workspace.containerNumber + "_"
    for trigger in workspace.triggers where links.isUsed(trigger.id) {
      var (positive, negative): ([Int32], [Int32]) = ([], [])
      for condition in eventConditions(of: trigger) + trigger.conditions {
        guard let position = predicate(condition, &positions) else { continue }
        if condition.isNegated { negative.append(position) } else { positive.append(position) }
      }
      if let share = trigger.samplePercent.flatMap(SampleShare.init) {
        positive.append(predicate(of: share, trigger, salt: "\(workspace.publicID):\(trigger.id)", &positions))
      }
      addRule(trigger.id, prefix: prefix, name: trigger.name, positive, negative, links)
    }
    for trigger in StandardTrigger.allCases where links.isUsed(trigger.rawValue) {
      let positive = trigger == .always ? [] : predicate(Self.anyEvent, &positions).map { [$0] } ?? []
      addRule(trigger.rawValue, prefix: prefix, name: trigger.name, positive, [], links)
    }
    let usesEventName = nodes.contains { if case .macro(WorkspaceIndex.eventName) = $0 { true } else { false } }
    if usesEventName { compileEventName() }
  }

  private mutating func addRule(
    _ id: String, prefix: String, name: String, _ positive: [Int32], _ negative: [Int32], _ links: TriggerLinks
  ) {
    rules.append(
      Rule(
        id: prefix + id, name: name, positive: positive, negative: negative, addedTags: links.firing[id] ?? [],
        removedTags: links.blocking[id] ?? [], addedMacros: links.enabling[id] ?? [],
        removedMacros: links.disabling[id] ?? []))
  }

  /// A condition that every event meets, and nothing outside events does.
  private static let anyEvent = Condition("MATCH_REGEX", "{{\(WorkspaceIndex.eventName)}}", ".*")

  /// What a trigger's type says about the event's name.
  private func eventConditions(of trigger: Trigger) -> [Condition] {
    switch TriggerTable.event(ofType: trigger.type) {
    case .custom: trigger.eventConditions
    case .named(let name): [Condition("EQUALS", "{{\(WorkspaceIndex.eventName)}}", name)]
    case .any: trigger.conditions.isEmpty ? [Self.anyEvent] : []
    case nil: []
    }
  }

  private struct PredicateKey: Hashable {
    let function: FunctionName
    let left: Parameter
    let right: Parameter
    let ignoresCase: Bool
  }

  /// The position of a condition's predicate, which conditions that differ in nothing but their negation share.
  private mutating func predicate(_ condition: Condition, _ positions: inout [PredicateKey: Int32]) -> Int32? {
    let parameters = condition.parameters
    guard let function = TriggerTable.function(ofType: condition.type),
      let left = parameters.last(where: { $0.key == "arg0" }),
      let right = parameters.last(where: { $0.key == "arg1" })
    else { return nil }
    let key = PredicateKey(function: function, left: left, right: right, ignoresCase: condition.ignoresCase)
    if let position = positions[key] { return position }
    var predicate = Call(function)
    predicate.parameters["arg0"] = value(left)
    predicate.parameters["arg1"] = value(right)
    if condition.ignoresCase { predicate.parameters["ignore_case"] = add(.constant(true)) }
    return append(predicate, key, &positions)
  }

  /// Whether the install's number under the salt is within the share.
  private mutating func predicate(
    of share: SampleShare, _ trigger: Trigger, salt: String, _ positions: inout [PredicateKey: Int32]
  ) -> Int32 {
    let name = "_sample_\(trigger.id)"
    macros.append(call(.bucket, name: name, [Parameter("salt", salt)]))
    var predicate = Call(.less)
    predicate.parameters["arg0"] = add(.macro(name: name))
    predicate.parameters["arg1"] = add(.constant(.int(share.hundredths)))
    predicates.append(predicate)
    return Int32(predicates.count - 1)
  }

  private mutating func append(
    _ predicate: Call, _ key: PredicateKey, _ positions: inout [PredicateKey: Int32]
  ) -> Int32 {
    let position = Int32(predicates.count)
    predicates.append(predicate)
    positions[key] = position
    return position
  }
}

/// A share of installs in hundredths of a percent, which is what a bucket's number is compared with (TM-138).
struct SampleShare {
  let hundredths: Int64

  /// Reads a percentage from 0 to 100 with at most two decimals.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let decimals = parts.count == 2 ? parts[1] : "0"
    guard 1...2 ~= parts.count, 1...3 ~= parts[0].utf8.count, 1...2 ~= decimals.utf8.count,
      (parts[0] + decimals).utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
      let whole = Int64(parts[0]), let rest = Int64(decimals)
    else { return nil }
    let hundredths = whole * 100 + (decimals.utf8.count == 1 ? rest * 10 : rest)
    guard hundredths <= 10_000 else { return nil }
    self.hundredths = hundredths
  }
}
