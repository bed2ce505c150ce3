import Hits

/// What has been said already, so that a warning comes once and not with every event.
///
/// Of 1,000 subjects, all are forgotten: names that an app makes up without end cost no memory without end.
package final class OnceLog: Sendable {
  /// What a message is about.
  package enum Subject: Hashable, Sendable {
    case closed(ContainerID)
    case unknownKey(String)
    case noHandler(String)
    case slowHandler(String)
    case literalKey(String)
    case nonFiniteNumber
    case noServer
    case rateLimited(ContainerID)
    case remark(EvaluationPass.Remark)
    case diagnostic(Diagnostic)
  }

  private static let limit = 1_000

  private let said = Locked<Set<Subject>>([])

  package init() {}

  /// Whether this is the first time; the next time it is not.
  package func isFirst(_ subject: Subject) -> Bool {
    said.withLock { said in
      if said.count >= Self.limit, !said.contains(subject) { said = [] }
      return said.insert(subject).inserted
    }
  }
}
