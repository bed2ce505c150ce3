import Hits

/// The words that editors offer besides what a workspace itself holds.
package enum Vocabulary {
  /// Triggers that are in every container without being listed: the id, and what they are called.
  package static let standardTriggers: [(id: String, name: String)] =
    [StandardTrigger.anyEvent, .always].map { ($0.rawValue, $0.name) }

  /// The built-in variables of app containers, by name.
  package static let builtInVariables: [(type: String, name: String)] =
    BuiltInTable.rows.map { ($0.key, $0.value.name) }.sorted { $0.1.precedesInBytes($1.1) }

  /// Types of triggers that wait for one event of the platform, and that event.
  package static let eventTriggers: [(type: String, event: String)] =
    TriggerTable.names.map { ($0.key, $0.value) }.sorted { $0.1.precedesInBytes($1.1) }

  /// The types of triggers that hold for any event, and for those that their conditions name.
  package static let anyEvent = "ALWAYS"
  package static let customEvent = "CUSTOM_EVENT"

  /// By what conditions refer to the event's name.
  package static let eventName = "{{\(WorkspaceIndex.eventName)}}"

  /// The parameter of a trigger that holds for a share of installs.
  package static let sample = Trigger.sampleKey
}
