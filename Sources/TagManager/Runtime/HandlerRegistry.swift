public import Hits

/// The app's handlers of function-call macros and tags, by function name (TM-821).
///
/// Setting a handler replaces the one before, setting nil removes it. It may be done at any time from any thread.
public final class HandlerRegistry: Sendable {
  private struct State {
    var macros: [String: any FunctionCallMacroHandler] = [:]
    var tags: [String: TagHandler] = [:]
  }

  /// A tag's handler, of whichever kind: told apart when it is registered, not with every call.
  enum TagHandler {
    case immediate(any FunctionCallTagHandler)
    case asynchronous(AsyncTagHandler)

    init(_ handler: any FunctionCallTagHandler) {
      if let handler = handler as? AsyncTagHandler { self = .asynchronous(handler) } else { self = .immediate(handler) }
    }
  }

  private let state = Locked(State())

  init() {}

  /// Registers the handler of a macro's function name; nil removes it.
  public func setMacroHandler(_ handler: (any FunctionCallMacroHandler)?, for name: String) {
    state.withLock { $0.macros[name] = handler }
  }

  /// Registers the handler of a tag's function name; nil removes it.
  public func setTagHandler(_ handler: (any FunctionCallTagHandler)?, for name: String) {
    let handler = handler.map(TagHandler.init)
    state.withLock { $0.tags[name] = handler }
  }

  /// Registers a closure as the handler of a macro's function name; it gives nil for no value.
  public func onMacro(_ name: String, _ body: @escaping @Sendable ([String: Value]) throws -> Value?) {
    setMacroHandler(ClosureMacroHandler(body: body), for: name)
  }

  /// Registers a closure as the handler of a tag's function name; it runs on the evaluating thread.
  public func onTag(_ name: String, _ body: @escaping @Sendable ([String: Value]) throws -> Void) {
    setTagHandler(ClosureTagHandler(body: body), for: name)
  }

  /// Registers an asynchronous closure as the handler of a tag's function name.
  ///
  /// Each call runs in a task of its own; the tag's status is `started`, and an error is logged (TM-821).
  public func onTag(_ name: String, async body: @escaping @Sendable ([String: Value]) async throws -> Void) {
    setTagHandler(AsyncTagHandler(body: body), for: name)
  }

  /// The handler of a macro's function name; nil when none is registered here.
  public func macroHandler(for name: String) -> (any FunctionCallMacroHandler)? {
    state.withLock { $0.macros[name] }
  }

  /// The handler of a tag's function name; nil when none is registered here.
  public func tagHandler(for name: String) -> (any FunctionCallTagHandler)? {
    switch handler(ofTag: name) {
    case .immediate(let handler): handler
    case .asynchronous(let handler): handler
    case nil: nil
    }
  }

  func handler(ofTag name: String) -> TagHandler? { state.withLock { $0.tags[name] } }
}

private struct ClosureMacroHandler: FunctionCallMacroHandler {
  let body: @Sendable ([String: Value]) throws -> Value?

  func value(forMacro name: String, parameters: [String: Value]) throws -> Value? { try body(parameters) }
}

private struct ClosureTagHandler: FunctionCallTagHandler {
  let body: @Sendable ([String: Value]) throws -> Void

  func execute(_ name: String, parameters: [String: Value]) throws { try body(parameters) }
}

/// A handler whose work goes on after the call.
struct AsyncTagHandler: FunctionCallTagHandler {
  let body: @Sendable ([String: Value]) async throws -> Void

  /// Starts the work, whose error is the task's own.
  ///
  /// The runtime does not call this; it starts the work itself, to log an error.
  func execute(_ name: String, parameters: [String: Value]) throws {
    let body = body
    Task { try await body(parameters) }
  }
}
