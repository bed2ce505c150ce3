import Hits
import VideoAds

/// A minute of content with the ad server's playlist, on the simulated player.
@MainActor
struct AdBreakDemo {
  private let server = AdServer()

  /// Plays it, prints the timeline, and enters what must agree.
  func report(into tally: inout DemoTally) async {
    let sink = LiveBeaconSink(transport: server, userAgent: "\(ProductInfo.name)/\(ProductInfo.version)")
    let session = PlaySession(
      AdsRequest(adTagURL: AdServer.adTag), settings: AdsSettings(sessionID: "demo"), transport: server,
      length: 60, sink: sink)
    var records: [PlayRecord] = []
    _ = await session.run { records.append($0) }
    Output.line("  " + PlayText.head)
    for record in records where Self.isShown(record) { Output.line("  " + PlayText.line(of: record)) }

    let count = { (kind: PlayRecord.Kind, name: String) in records.filter { $0.kind == kind && $0.name == name }.count }
    // By hand from the playlist: a pod of two, one ad behind two wrappers, one break without an ad.
    tally.enter(
      "ads",
      [
        ("in the playlist", 3), ("started", count(.event, "started")),
        ("impressions at the ad server", server.count(of: "impression")),
        ("completed there", server.count(of: "complete")),
      ])
    tally.enter(
      "wrapper impressions", [("two wrappers", 2), ("at the ad server", server.count(of: "wrapperImpression"))])
    tally.enter(
      "ad breaks",
      [
        ("in the playlist", 3), ("begun at the ad server", server.count(of: "breakStart")),
        ("ended there", server.count(of: "breakEnd")),
      ])
    tally.enter(
      "content", [("breaks with ads", 2), ("paused", count(.content, "pause")), ("resumed", count(.content, "resume"))])
    tally.enter("breaks without an ad", [("in the playlist", 1), ("told", count(.event, "adBreakFetchError"))])
    tally.enter("ad beacons", [("owed", records.filter { $0.kind == .beacon }.count), ("received", server.total)])
  }

  private static func isShown(_ record: PlayRecord) -> Bool {
    switch record.kind {
    case .event, .content, .error: true
    case .beacon: record.name == "impression" || record.name == "error"
    case .overlay, .state: false
    }
  }
}
