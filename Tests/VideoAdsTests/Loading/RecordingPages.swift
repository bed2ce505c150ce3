import Hits

@testable import VideoAds

/// Keeps what verification pages are told, and lets a test say what scripts were not run; it answers nothing by itself.
@MainActor
final class RecordingPages: VerificationHost, VerificationSession {
  /// What came, by name, in its order.
  private(set) var log: [String] = []
  /// What tells of a script that was not run, for each page that was opened.
  private(set) var reports: [@MainActor (Int) -> Void] = []

  /// The data of the last event `impression`.
  private(set) var impression: Value?

  func open(
    _ scripts: [VerificationScript], context: VerificationContext, notRun: @escaping @MainActor (Int) -> Void
  ) -> any VerificationSession {
    log.append("open \(scripts.map(\.url)) for \(context.partnerName) \(context.partnerVersion)")
    reports.append(notRun)
    return self
  }

  func send(_ event: VerificationEvent) {
    log.append(event.type)
    if event.type == "impression" { impression = event.data }
  }

  func finish() { log.append("finish") }
}
