/// The diagnostics of one document: at most 200, then one `diagnostics.cut` (VA-330).
///
/// What a limit cuts off is told once a limit, with how often that happened, so that it leaves room for the rest.
struct DiagnosticLog: Sendable {
  static let limit = 200

  private var kept: [AdDiagnostic] = []
  /// The limits that were met, each with the place of its diagnostic and how often it was met.
  private var caps: [(name: String, index: Int, count: Int)] = []
  private var locator = Locator()

  /// The diagnostics so far.
  var diagnostics: [AdDiagnostic] {
    var all = kept
    for cap in caps where cap.count > 1 && cap.index < Self.limit {
      all[cap.index].message = all[cap.index].message.dropLast() + " (\(cap.count) times)."
    }
    return all
  }

  /// Whether another one would be kept: what is costly to describe asks first.
  var isOpen: Bool { kept.count < Self.limit }

  /// Whether nothing changes the log any more.
  var isClosed: Bool { kept.count > Self.limit }

  /// Counts that a limit was met; true the first time, when its diagnostic is to be added next.
  mutating func isFirst(_ cap: String) -> Bool {
    if let known = caps.firstIndex(where: { $0.name == cap }) {
      caps[known].count += 1
      return false
    }
    caps.append((cap, kept.count, 1))
    return true
  }

  mutating func add(_ diagnostic: AdDiagnostic) {
    if isOpen {
      kept.append(diagnostic)
    } else if kept.count == Self.limit {
      kept.append(AdDiagnostic("diagnostics.cut", .note, "There are more than \(Self.limit) diagnostics."))
    }
  }

  mutating func add(contentsOf others: [AdDiagnostic]) { others.forEach { add($0) } }

  /// Adds a diagnostic about a byte of the document.
  mutating func add(
    _ code: AdDiagnostic.Code, _ severity: AdDiagnostic.Severity, _ message: String, at offset: Int, in bytes: [UInt8],
    path: String
  ) {
    var diagnostic = AdDiagnostic(code, severity, message)
    if isOpen {
      (diagnostic.line, diagnostic.column) = locator.place(of: offset, in: bytes)
      diagnostic.path = path
    }
    add(diagnostic)
  }
}

/// Finds line and column of byte offsets; going forward, all of them together cost one pass.
private struct Locator: Sendable {
  private var offset = 0
  private var line = 1
  private var column = 1

  mutating func place(of target: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
    if target < offset { self = Locator() }
    while offset < min(target, bytes.count) {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
      offset += 1
    }
    return (line, column)
  }
}
