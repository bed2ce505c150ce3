import Hits

/// Takes every hit in and keeps none: what a dry evaluation sends.
struct DiscardingSink: HitSink {
  func send(_ hit: HitBuilder, tracker: String?) -> SendReceipt { SendReceipt(id: HitID(), state: .dryRun) }
}
