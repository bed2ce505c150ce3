import Hits
import TagManager

/// Whether a compiled container is within what apps read and servers deliver (CO-303).
struct SizeCheck {
  let settings: CompileSettings

  /// Refuses what a decoder would refuse: too many parts of a rule or a call.
  func check(_ container: CompiledContainer, into diagnostics: inout DiagnosticCollector) {
    let limits = DecodeLimits.standard
    for (what, count, limit) in [
      ("macros", container.macros.count, limits.macros), ("tags", container.tags.count, limits.tags),
      ("conditions", container.predicates.count, limits.predicates), ("triggers", container.rules.count, limits.rules),
    ] where count > limit {
      diagnostics.error(.tooMany, "There are more than \(limit) \(what); split the container.")
    }
    for rule in container.rules {
      let count =
        rule.positive.count + rule.negative.count + rule.addedTags.count + rule.removedTags.count
        + rule.addedMacros.count + rule.removedMacros.count
      guard count > limits.indexesPerRule else { continue }
      diagnostics.error(
        .tooMany, "The trigger \"\(rule.name.prefix(80))\" has more than \(limits.indexesPerRule) parts; split it.")
    }
    for call in container.macros + container.tags where call.parameters.count > limits.parametersPerCall {
      diagnostics.error(
        .tooMany, "\"\(call.name.prefix(80))\" has more than \(limits.parametersPerCall) parameters; use a list.")
    }
  }

  /// Refuses a container that is too large when compressed, and names what takes most.
  func check(_ bytes: [UInt8], of workspace: Workspace, into diagnostics: inout DiagnosticCollector) {
    // What is small enough as it is needs no compressor.
    guard bytes.count > settings.compressedBytes else { return }
    let size = settings.compressedSize(bytes)
    guard size > settings.compressedBytes else { return }
    refuse(
      workspace, "The container has \(size) bytes when compressed; \(settings.compressedBytes) is the limit.",
      into: &diagnostics)
  }

  /// Says that a container is too large, and which entities take most of it.
  func refuse(_ workspace: Workspace, _ reason: String, into diagnostics: inout DiagnosticCollector) {
    let parts = Self.largest(5, of: workspace).map { "\($0.entity) (\($0.bytes) bytes)" }.joined(separator: ", ")
    diagnostics.error(
      .tooLarge, "\(reason) Its largest parts are \(parts). Make them smaller, or split the container.")
  }

  /// The entities that take most bytes in an export, the largest first; of equal ones the earlier.
  private static func largest(_ count: Int, of workspace: Workspace) -> [(entity: EntityReference, bytes: Int)] {
    func sizes(_ entities: [some Entity]) -> [(entity: EntityReference, bytes: Int)] {
      entities.map { ($0.reference, Value.map($0.fields).jsonBytes.count) }
    }
    let all = sizes(workspace.tags) + sizes(workspace.triggers) + sizes(workspace.variables)
    return all.indices.sorted { all[$0].bytes != all[$1].bytes ? all[$0].bytes > all[$1].bytes : $0 < $1 }
      .prefix(count).map { all[$0] }
  }
}
