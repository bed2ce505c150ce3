public import Hits

/// What a built-in tag wants done; the runtime does it, in order (design rule: engines return actions).
package enum TagEffect: Sendable, Hashable {
  /// Hands a hit to the sink (TM-808, TM-847).
  case send(HitBuilder, tracker: String?)
  /// Calls the app's handler of a function name (TM-820).
  case callHandler(String, parameters: [String: Value])
  /// Deletes a key and what is below it from the data layer (TM-545).
  case clear(prefix: String)
  /// Pushes an update, as a nested push.
  case push([String: Value])
  /// Sends a request through the transport, tried three times (TM-846).
  case request(HTTPRequest)
  /// Remembers that an image tag of this id has fired in this install (TM-840).
  case spend(String)
  /// Keeps the event's other `filter` tags from firing (TM-845).
  case blockFilters
  /// Tells the author something, once per load.
  case warn(Diagnostic)
}

/// Why a tag did not do what it should (TM-805, TM-1110).
public enum TagFailure: Error, Sendable, Hashable {
  /// A parameter could not be evaluated, or one that must be there is missing.
  case evaluation(EvaluationFailure)
  /// The URL is empty, not absolute, too long, or not allowed (TM-841).
  case url
  /// No handler is registered for the function name (TM-820).
  case noHandler
  /// The handler threw.
  case handler
  /// The sink refused the hit (TM-808).
  case sink(Refusal)
  /// A reason of an app's own tag function.
  case other(String)
}

extension TagFailure: CustomStringConvertible {
  /// The reason as outcomes print it, such as `noHandler` or `sink(storeFull)`.
  public var description: String {
    switch self {
    case .evaluation(let failure): failure.description
    case .url: "url"
    case .noHandler: "noHandler"
    case .handler: "handler"
    case .sink(let refusal): "sink(\(refusal))"
    case .other(let reason): reason
    }
  }
}

/// A built-in tag: turns a call into effects, without doing anything itself.
package protocol BuiltInTag: Sendable {
  /// What the tag wants done.
  func effects(of call: TagCall, in context: TagContext) throws(TagFailure) -> [TagEffect]
}

/// A tag kind that another target or the app adds (TM-850).
public protocol TagFunction: Sendable {
  /// Does what the tag is for; called on the evaluating thread, so it should hand long work on.
  ///
  /// - Returns: how far it is, for the tag's outcome.
  /// - Throws: why it failed; a `TagFailure` is the outcome as it is, any other error is `handler`.
  @discardableResult
  func fire(_ call: TagCall) throws -> TagProgress
}

/// How far a tag function's work is when it returns (TM-850).
public enum TagProgress: Sendable, Hashable {
  /// It is done: the outcome is `fired`.
  case finished
  /// It goes on by itself: the outcome is `started`.
  case started
}
