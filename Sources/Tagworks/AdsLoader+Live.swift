import HTTPClient
public import HitQueue
import Hits
public import VideoAds

extension AdsLoader {
  /// Makes a loader on the system's network and clock (VA-1300).
  ///
  /// With `persistBeacons`, beacons that could not be sent for ten minutes of trying go to the durable queue and leave
  /// with the app's other hits, unless the person's choices forbid storage (VA-802, VA-1202).
  ///
  /// - Throws: `HitQueueError` when the store of the queue cannot be opened; without `persistBeacons` none is.
  public static func live(_ settings: LiveAdsSettings) throws(HitQueueError) -> AdsLoader {
    let transport = PlatformTransport()
    // An ad's server is told of the device what its user agent tells: no id of the install (VA-1206).
    let device = settings.device ?? SystemDevice.facts(appID: SystemDevice.appID, installID: "")
    var later: (any HitSink)?
    if settings.ads.persistBeacons {
      let queue = try Analytics(
        store: settings.hits, transport: transport, connectivity: settings.connectivity, device: device)
      later = LateBeacons(queue: queue, privacy: settings.privacy)
    }
    let beacons = LiveBeaconSink(
      transport: transport,
      userAgent: settings.ads.userAgent ?? UserAgent.text(version: ProductInfo.version, device: device),
      connectivity: settings.connectivity, later: later)
    let verification = settings.verificationPages.map {
      PageVerificationHost(pages: $0, beacons: beacons, device: device)
    }
    return AdsLoader(
      settings: settings.ads,
      environment: AdsEnvironment(
        transport: transport, hits: beacons, players: settings.players, links: settings.links,
        geometry: settings.geometry, verification: verification ?? settings.verification, lifecycle: settings.lifecycle,
        privacy: settings.privacy, device: device))
  }
}

/// The durable queue for late beacons, where a person's choices allow storage at that moment (VA-1202).
struct LateBeacons: HitSink {
  let queue: any HitSink
  let privacy: any PrivacySignalsProvider

  func send(_ hit: HitBuilder, tracker: String?) -> SendReceipt {
    guard privacy.signals.permitsStorage else { return SendReceipt(state: .refused(.consentDenied)) }
    return queue.send(hit, tracker: tracker)
  }
}
