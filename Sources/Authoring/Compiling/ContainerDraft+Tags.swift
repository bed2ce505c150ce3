import TagManager

/// Tags become tags (CO-203).
extension ContainerDraft {
  mutating func compile(_ tag: Tag, _ links: inout TriggerLinks) {
    guard let function = FunctionKind.tag.function(ofType: tag.type) else { return }
    var compiled = call(function, name: tag.name, tag.parameters)
    compiled.tagID = tag.id
    compiled.priority = tag.priority ?? 0
    compiled.isOncePerLoad = tag.isOncePerLoad
    compiled.isLiveOnly = tag.isLiveOnly
    compiled.setupTags = references(tag.setupTags, flag: 1)
    compiled.teardownTags = references(tag.teardownTags, flag: 2)
    compiled.scheduleStart = tag.scheduleStart
    compiled.scheduleEnd = tag.scheduleEnd
    compiled.consentRequired = tag.consentTypes
    TriggerLinks.add(tags.count, to: tag.firingTriggerIDs, &links.firing)
    TriggerLinks.add(tags.count, to: tag.blockingTriggerIDs, &links.blocking)
    tags.append(compiled)
  }

  /// The tags that run with another one; the flag says that a failure stops what follows (TM-804).
  private func references(_ companions: [Tag.Companion], flag: Int) -> [TagReference] {
    companions.compactMap { companion in
      tagPositions[companion.name].map { TagReference(tag: $0, flag: companion.stopsOnFailure ? flag : 0) }
    }
  }
}
