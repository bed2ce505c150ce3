/// The life of a page host, the same for all of them: it is opened once and ends once (WT-700).
///
///     new ──begin──▶ opening ──opened──▶ open
///      ▲                │                  │
///      └─────failed─────┴───────end────────┴──▶ over
package enum PagePhase<Page: Sendable>: Sendable {
  case new
  case opening
  case open(Page)
  /// For good, for this reason.
  case over(PageHostError)

  /// Begins to open.
  package mutating func begin() throws(PageHostError) {
    switch self {
    case .new: self = .opening
    case .opening, .open: throw PageHostError(.unavailable, "the page is open already")
    case .over(let reason): throw reason
    }
  }

  /// Takes the page that was made; throws why it is not wanted any more.
  package mutating func opened(_ page: Page) throws(PageHostError) {
    if case .over(let reason) = self { throw reason }
    self = .open(page)
  }

  /// Takes in why no page was made: another try may begin, unless the host was closed meanwhile.
  ///
  /// - Returns: what to throw.
  package mutating func failed(_ error: PageHostError) -> PageHostError {
    if case .over(.closed) = self { return .closed }
    self = .new
    return error
  }

  /// Ends it; gives the phase before, or nil when it was closed already.
  package mutating func end(_ reason: PageHostError) -> PagePhase? {
    if case .over(.closed) = self { return nil }
    defer { self = .over(reason) }
    return self
  }

  /// The page that is open.
  package var page: Page {
    get throws(PageHostError) {
      switch self {
      case .open(let page): return page
      case .new, .opening: throw .notOpen
      case .over(let reason): throw reason
      }
    }
  }
}
