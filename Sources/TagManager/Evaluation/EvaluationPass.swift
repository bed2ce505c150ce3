package import Hits

/// One evaluation of a container: for one event, or for one call of a getter.
///
/// A pass asks each macro name and each predicate at most once and keeps the answers (TM-615). What it remembers is what
/// it touched, so its cost does not grow with the container. It decides; it performs nothing: nested pushes that macros
/// ask for are handed out as values.
package struct EvaluationPass {
  let plan: EvaluationPlan
  let context: MacroContext
  let cache: StaticCache?
  let detail: TraceDetail

  /// What has been answered in this pass.
  package internal(set) var answers: PassAnswers

  // What is being asked right now.
  var frames: [Frame] = []
  var depth = 0
  var macroDepth = 0
  var deepestMacro = 0
  var spent = ValueSize.zero

  // What is to be told.
  var pushes: [[String: Value]] = []
  var remarks: [Remark] = []

  /// Starts a pass.
  ///
  /// - Parameters:
  ///   - cache: values of earlier passes over the same plan; nil to evaluate everything.
  ///   - detail: what the outcomes will tell.
  package init(
    _ plan: EvaluationPlan, context: MacroContext, cache: StaticCache? = nil, detail: TraceDetail = .standard
  ) {
    self.plan = plan
    self.context = context
    self.cache = cache
    self.detail = detail
    answers = PassAnswers(plan, detail: detail)
  }

  /// Something an author should hear about once.
  package enum Remark: Hashable, Sendable {
    /// No macro has the name.
    case unknownMacro(String)
    /// Rules added several macros of the name.
    case ambiguous(String)
    /// A function-call macro of that function gave nothing.
    case handler(String, MissingReason)
    /// An escaping code that leaves text unchanged (TM-616).
    case escaping(Int)
    /// A predicate, by index, found something its author should know.
    case predicate(Int, Diagnostic.Code)
  }

  /// Takes the updates that macros want pushed after their value was given (TM-650).
  package mutating func takePushes() -> [[String: Value]] {
    guard !pushes.isEmpty else { return [] }
    defer { pushes = [] }
    return pushes
  }

  /// Takes what the author should hear about.
  package mutating func takeRemarks() -> [Remark] {
    guard !remarks.isEmpty else { return [] }
    defer { remarks = [] }
    return remarks
  }
}

extension EvaluationPass {
  /// Something whose evaluation is under way.
  struct Frame {
    enum Subject: Hashable {
      case name(Int)
      case predicate(Int)
    }

    let subject: Subject
    /// Whether it was found to ask for itself.
    var isOnCycle = false
  }

  /// The deepest nesting of macros (TM-613).
  static let maximumMacroDepth = 64
  /// The deepest nesting of macros, predicates and values together, which bounds the stack.
  static let maximumDepth = 128

  /// Evaluates something that may, by way of others, ask for itself.
  ///
  /// Asking for what is under way closes a cycle: everything from there to here is on it, and all of it fails (TM-613).
  mutating func nested<Result>(
    _ subject: Frame.Subject, onFailure: (EvaluationFailure) -> Result, _ body: (inout EvaluationPass) -> Result
  ) -> Result {
    if let start = frames.firstIndex(where: { $0.subject == subject }) {
      for position in start..<frames.count { frames[position].isOnCycle = true }
      return onFailure(.cycle)
    }
    guard depth < Self.maximumDepth else { return onFailure(.limit) }
    frames.append(Frame(subject: subject))
    depth += 1
    let outer = spent
    spent = .zero
    let result = body(&self)
    spent = outer
    depth -= 1
    return frames.removeLast().isOnCycle ? onFailure(.cycle) : result
  }

  /// Whether something is under way: an answer given meanwhile belongs to who asked, not to it.
  func isUnderWay(_ subject: Frame.Subject) -> Bool { frames.contains { $0.subject == subject } }

  /// Counts what a value adds to the call under evaluation; nil when that is too much (TM-614).
  mutating func spend(_ size: ValueSize) -> EvaluationFailure? {
    spent += size
    return spent.isWithinLimit ? nil : .limit
  }
}
