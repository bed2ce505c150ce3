import Hits
import TagManager

/// What the data layer of an app in preview held at each of its pushes, found again from what was pushed (CO-502).
///
///     state at a push = the snapshot that the session begins with + every update up to the push's sequence
///
/// Outcomes come when they are final, one that was nested in another before it: their sequence is the order of the layer.
struct RecordedDataLayer: Sendable {
  /// What it held at one push.
  struct State: Sendable, Hashable {
    var content: [String: Value]
    /// Whether everything is known that was pushed before; else what only a lost line has brought is missing.
    var isWhole: Bool
  }

  /// Bytes of text beyond which a layer is not followed.
  static let most = 1 << 20

  private var model = DataLayerModel()
  private var first: Int64?
  private var count: Int64 = 0
  private var isCut = false

  /// Takes a line's update over the content.
  private mutating func take(_ push: RecordedPush) {
    count += 1
    if let snapshot = push.snapshot {
      model = DataLayerModel(snapshot)
      first = push.sequence
      count = 1
      isCut = false
    }
    guard let update = push.update, !isCut else {
      isCut = true
      return
    }
    // What the app's layer has refused this one refuses too.
    do throws(PushRejection) { try model.push(update) } catch {}
    guard model.textBytes > Self.most else { return }
    model = DataLayerModel()
    isCut = true
  }

  /// Takes lines that are forgotten.
  mutating func take(_ lines: some Sequence<TraceSessions.Line>) {
    for push in lines.compactMap(RecordedPush.init) { take(push) }
  }

  /// The states at lines that follow on those which were taken, by the lines' numbers.
  func states(at lines: [TraceSessions.Line], wanted: (Int64) -> Bool) -> [Int64: State] {
    var layer = self
    var states: [Int64: State] = [:]
    for push in lines.compactMap(RecordedPush.init).sorted(by: { ($0.sequence, $0.number) < ($1.sequence, $1.number) })
    {
      layer.take(push)
      guard wanted(push.number) else { continue }
      let isWhole = !layer.isCut && layer.first.map { push.sequence - $0 + 1 == layer.count } ?? false
      states[push.number] = State(content: layer.model.root, isWhole: isWhole)
    }
    return states
  }
}

/// What a line says about the data layer.
private struct RecordedPush {
  var number: Int64
  var sequence: Int64
  var update: [String: Value]?
  var snapshot: [String: Value]?

  init?(_ line: TraceSessions.Line) {
    guard let root = try? JSONDocument(line.json, limits: TraceIntake.lineLimits).root else { return nil }
    number = line.number
    // No app counts so far; sums of what it says stay in bounds.
    sequence = root["sequence"]?.int.flatMap { 0...(1 << 53) ~= $0 ? $0 : nil } ?? line.number
    update = root["update"]?.value.map
    snapshot = root["snapshot"]?.value.map
  }
}
