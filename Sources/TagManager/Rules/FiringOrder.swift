import Hits

/// In which order tags fire when several do: by priority, greatest first, then by file (TM-801).
package struct FiringOrder: Sendable {
  /// The place of each tag, by its index.
  package let ranks: [Int]

  /// Orders the tags of a container.
  ///
  /// Measurement tags that only block others come first whatever their priority: they send nothing, and what they block
  /// must not have fired before (TM-845).
  package init(_ tags: [Call], _ values: PlannedValues) {
    let blocks = tags.map { tag in
      tag.function == .measurementEvent && tag.parameters["action"].flatMap(values.constant) == "block"
    }
    let order = tags.indices.sorted { left, right in
      if blocks[left] != blocks[right] { return blocks[left] }
      return (tags[right].priority, left) < (tags[left].priority, right)
    }
    var ranks = [Int](repeating: 0, count: tags.count)
    for (rank, tag) in order.enumerated() { ranks[tag] = rank }
    self.ranks = ranks
  }
}
