extension Route {
  /// Tells whether hits and authors' work can be stored and read: the databases answer (CO-104).
  static func ready(_ storage: any HitStorage, _ workspaces: any WorkspaceStore) -> Route {
    .reading("/readyz") { _ in
      do {
        _ = try await storage.scan(after: .max, limit: 1)
        _ = try await workspaces.deliveryStamp()
        return .text("ok\n")
      } catch {
        return .error(503, "NOT_READY", "the storage does not answer", retryAfter: 5)
      }
    }
  }

  /// Counts, for Prometheus (CO-104).
  static func metrics(_ metrics: ServerMetrics, _ collector: Collector, _ fetches: FetchTally) -> Route {
    .reading("/metrics") { _ in
      .text(
        metrics.text(waiting: collector.waiting, lost: collector.feed.lost, fetches: fetches.counts),
        type: "text/plain; version=0.0.4; charset=utf-8")
    }
  }
}
