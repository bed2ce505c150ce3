import Hits

/// Hits that wait for consent, in memory only: no client id is made for them, and nothing is written (HQ-222).
///
///                      ┌─ all purposes granted ─▶ stored, with the times they were made at
///     held, in order ──┼─ one purpose denied ───▶ dropped: consentDenied
///                      └─ a 201st hit ──────────▶ the oldest is dropped: pendingFull
struct HeldHits: Sendable {
  /// The most hits.
  static let limit = 200

  private var hits: [UnsentHit] = []

  /// Adds a hit; gives the one that had to go for it.
  mutating func add(_ hit: UnsentHit) -> UnsentHit? {
    hits.append(hit)
    return hits.count > Self.limit ? hits.removeFirst() : nil
  }

  /// Takes out what does not wait any more, in order.
  mutating func release(_ consent: ConsentSnapshot) -> (granted: [UnsentHit], denied: [UnsentHit]) {
    let granted = hits.filter { consent.state(of: $0.row.purposes) == .granted }
    let denied = hits.filter { consent.state(of: $0.row.purposes) == .denied }
    hits.removeAll { consent.state(of: $0.row.purposes) != .pending }
    return (granted, denied)
  }

  /// Takes everything out.
  mutating func removeAll() -> [UnsentHit] {
    defer { hits = [] }
    return hits
  }
}
