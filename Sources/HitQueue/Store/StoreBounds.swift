import DurableStore

/// How much a store holds (HQ-330, HQ-331); 0 is no bound.
struct StoreBounds: Sendable, Hashable {
  var hits: Int
  var bytes: Int
  var overflow: HitStoreConfiguration.OverflowPolicy

  /// Caps the file at one and a half times the bytes and 8 MiB (HQ-334), so that there is room left for deleting.
  func limitFile(of connection: Connection) throws(StoreError) {
    guard bytes > 0 else { return }
    let pageSize = try connection.integer("PRAGMA page_size") ?? 4096
    let (product, overflow) = Int64(bytes).addingReportingOverflow(Int64(bytes) / 2 + 8 << 20)
    guard !overflow else { return }
    try connection.execute("PRAGMA max_page_count=\(product / max(pageSize, 1))")
  }

  func isExceeded(hits count: Int, bytes size: Int) -> Bool {
    (hits > 0 && count > hits) || (bytes > 0 && size > bytes)
  }
}
