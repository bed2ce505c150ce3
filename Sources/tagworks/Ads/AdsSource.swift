import Foundation
import HTTPClient
import Hits
import VideoAds

/// What both commands for ads take: the source, and how its documents are had (VA-1500).
struct AdsSource {
  /// What the command line calls it, without a password.
  let name: String
  let request: AdsRequest
  /// Why the file cannot be read; nil when it can, or when it is none.
  let unreadable: AdError?
  let settings: AdsSettings
  let transport: any HTTPTransport
  private let documents: any HTTPTransport
  /// Whether everything that is random is fixed: the same input then gives the same output.
  let isFixed: Bool

  static let operand = CommandDescription.Operand(
    name: "SOURCE", help: "an ad tag URL, a file with a VAST or VMAP document, or - for standard input")

  static let options: [CommandDescription.Option] = [
    CommandDescription.json,
    .init(name: "--offline", help: "fetch no document but the first"),
    .init(name: "--responses", value: "DIR", help: "answers by URL: map.tsv, or files named by the URL's SHA-256"),
    .init(name: "--max-redirects", value: "N", help: "how many wrappers may follow each other", defaultText: "5"),
    .init(name: "--timeout", value: "S", help: "seconds for each document", defaultText: "8, then 4"),
    .init(
      name: "--wrapper-pods", value: "POLICY", help: "firstAd, strict or playPod: what a wrapper takes of a pod",
      defaultText: "firstAd"),
    .init(name: "--at", value: "S", help: "content's time in seconds"),
    .init(name: "--duration", value: "S", help: "content's duration in seconds, for offsets in percent"),
    .init(name: "--base-url", value: "URL", help: "what relative URLs of a file are relative to"),
    .init(name: "--set", value: "NAME=VALUE", help: "gives a macro a value", isRepeatable: true),
  ]

  @MainActor
  init(_ arguments: Arguments) throws {
    let source = arguments.operand(0) ?? "-"
    name = PrintedURL.text(source)
    var settings = AdsSettings(sessionID: "00000000-0000-4000-8000-000000000000")
    if let limit = try arguments.integer("--max-redirects", in: 0...20) { settings.maxRedirects = limit }
    if let policy = arguments.value("--wrapper-pods") {
      guard let pods = AdsSettings.WrapperPods(rawValue: policy) else {
        throw UsageError("--wrapper-pods takes firstAd, strict or playPod, not '\(policy)'")
      }
      settings.wrapperPods = pods
    }
    if let base = arguments.value("--base-url"), !AdsRequest.isBase(base) {
      throw UsageError("--base-url takes an http or https URL, not '\(base)'")
    }
    var request: AdsRequest
    do throws(AdError) {
      request = try Self.request(source, baseURL: arguments.value("--base-url"))
      unreadable = nil
    } catch {
      request = AdsRequest(document: [])
      unreadable = error
    }
    if let seconds = try arguments.seconds("--timeout") { request.vastLoadTimeout = seconds * 1_000 }
    if let seconds = try arguments.seconds("--at") {
      request.contentPlayhead = ManualContentPlayhead(currentTime: seconds)
    }
    if let seconds = try arguments.seconds("--duration") {
      var content = ContentInfo()
      content.duration = seconds
      request.content = content
    }
    for word in arguments.all("--set") {
      let pair = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard pair.count == 2, !pair[0].isEmpty else { throw UsageError("--set takes NAME=VALUE, not '\(word)'") }
      guard request.setMacro(pair[0], to: pair[1]) else { throw UsageError("--set: there is no macro '\(pair[0])'") }
    }
    self.request = request
    self.settings = settings
    isFixed = arguments.has("--responses")
    if let folder = arguments.value("--responses") {
      transport = try CannedTransport(folder: folder)
    } else {
      transport = PlatformTransport()
    }
    let isFetched = if case .adTag = request.source { true } else { false }
    documents = arguments.has("--offline") ? OfflineTransport(transport, allowing: isFetched ? 1 : 0) : transport
  }

  /// A URL is requested; a file is read here, for ad documents never name files themselves.
  ///
  /// One byte more than a document may have is enough to tell that it is too long.
  @MainActor
  private static func request(_ source: String, baseURL: String?) throws(AdError) -> AdsRequest {
    if source.contains("://") { return AdsRequest(adTagURL: source) }
    do throws(CommandFailure) {
      let bytes = try InputFile.start(path: source, limit: (8 << 20) + 1)
      return AdsRequest(document: bytes, baseURL: baseURL)
    } catch {
      throw AdError(.loading, .requestFailed, error.message)
    }
  }

  /// The ports; wall time and random numbers are fixed where the output is to be the same each time.
  @MainActor
  func environment(
    clock: any AdClock, players: any AdPlayerFactory, hits: any HitSink, links: any LinkOpener = NoLinks()
  ) -> AdsEnvironment {
    AdsEnvironment(
      transport: documents, hits: hits, players: players, clock: clock, links: links,
      privacy: FixedPrivacySignals(), time: isFixed ? AdWallClock(clock: clock) : SystemHitClock(),
      random: isFixed ? SeededRandomSource(seed: 1) : SystemRandomSource())
  }
}

extension Arguments {
  /// An option's value as seconds, not negative.
  func seconds(_ option: String) throws(UsageError) -> Double? {
    guard let text = value(option) else { return nil }
    guard let seconds = Double(text), seconds >= 0, seconds < 1e6 else {
      throw UsageError("\(option) takes seconds, not '\(text)'")
    }
    return seconds
  }
}

/// Wall time that begins at a fixed moment and follows the clock of playback.
struct AdWallClock: HitClock {
  let clock: any AdClock

  func now() -> HitTime {
    // 2027-01-15 08:00:00 UTC.
    HitTime(
      wallMilliseconds: 1_800_000_000_000 + clock.now, ageClock: UInt64(max(0, clock.now)) * 1_000_000,
      boot: BootID("fixed"))
  }

  func sleep(for duration: Duration) async throws {}
}

/// Opens nothing: a command line has no pages.
@MainActor
final class NoLinks: LinkOpener {
  nonisolated init() {}

  func canOpen(_ url: String) -> Bool { false }

  func open(_ url: String, closed: @escaping @MainActor () -> Void) { closed() }
}
