public import Hits
public import VideoAds
public import WebTags

/// Runs verification scripts in hidden pages of a web engine, one for each ad (VA-900).
///
/// A page has a session in memory, an address that resolves nowhere, and `omid3p` before any script. Nothing of this is
/// certified by the IAB (VA-907).
@MainActor
public final class PageVerificationHost: VerificationHost {
  private let pages: any PageHostFactory
  private let beacons: any HitSink
  private let device: any Device
  private let clock: any HitClock

  /// Makes a host.
  ///
  /// - Parameters:
  ///   - pages: makes the pages, such as `WebViewHostFactory`.
  ///   - beacons: takes the URLs that scripts ask to send (VA-905).
  ///   - device: what scripts are told of the app and the device.
  public init(
    pages: any PageHostFactory, beacons: any HitSink, device: any Device, clock: any HitClock = SystemHitClock()
  ) {
    (self.pages, self.beacons, self.device, self.clock) = (pages, beacons, device, clock)
  }

  /// Opens a page with the scripts of an ad.
  public func open(
    _ scripts: [VerificationScript], context: VerificationContext, notRun: @escaping @MainActor (Int) -> Void
  ) -> any VerificationSession {
    // http is for scripts on this machine, which an ad's plan lets through alone (VA-905).
    let hasInsecureScript = scripts.contains { $0.url.lowercased().hasPrefix("http:") }
    let page = VerificationPageAddress(adSessionID: context.adSessionID, hasInsecureScript: hasInsecureScript)
    let session = PageVerificationSession(
      scripts.count, host: pages.make(), beacons: beacons, clock: clock, notRun: notRun)
    session.start(
      at: page, NetworkPolicy(allowInsecure: hasInsecureScript),
      provider: VerificationProvider.source(scripts, context: context, origin: page.origin, device: device))
    return session
  }
}
