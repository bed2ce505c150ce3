import Hits

/// Which item hits of a request belong to a transaction before them, and are told with it (HQ-631, HQ-640).
struct TransactionItems {
  private let contents: [HitContent?]
  private var itemsByTransaction: [Int: [Int]] = [:]
  private var merged: Set<Int> = []

  init(_ contents: [HitContent?]) {
    self.contents = contents
    var transactions: [String: Int] = [:]
    for (index, content) in contents.enumerated() {
      guard let content, let id = content.fields["ti"] else { continue }
      switch content.kind {
      case .transaction: transactions[id] = index
      case .item:
        guard let transaction = transactions[id] else { continue }
        itemsByTransaction[transaction, default: []].append(index)
        merged.insert(index)
      default: break
      }
    }
  }

  /// Whether the hit at a place is told with a transaction.
  func isItemOfOther(_ index: Int) -> Bool { merged.contains(index) }

  /// The items of the transaction at a place.
  func items(of index: Int) -> [HitContent] { (itemsByTransaction[index] ?? []).compactMap { contents[$0] } }

  /// The places of the hits that are told together with the one at a place, itself included.
  func group(of index: Int) -> [Int] { [index] + (itemsByTransaction[index] ?? []) }
}
