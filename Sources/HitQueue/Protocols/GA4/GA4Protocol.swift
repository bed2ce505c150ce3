public import Hits

/// Google Analytics 4's Measurement Protocol (HQ-630 to HQ-637).
///
///     POST <endpoint>?firebase_app_id=… or measurement_id=… &api_secret=…     application/json
///     {"app_instance_id"|"client_id", "user_id", "timestamp_micros", "consent", "non_personalized_ads", "events":[…]}
///
/// A hit becomes one event or several; the hits of a request have one client, user and consent. The secret is never in
/// the store: it goes into the address when a request is made (HQ-600).
public struct GA4Protocol: HitProtocol {
  /// What is done with a hit that breaks a limit (HQ-635).
  public enum Mode: Sendable, Hashable {
    /// It is refused at `send`.
    case strict
    /// It is brought within the limits, and what that costs is counted.
    case warn
  }

  /// Where the hits go.
  public var stream: GA4Stream
  /// What is done with a hit that breaks a limit.
  public var mode = Mode.warn
  /// Whether events carry `tw_hit_id`, by which doubles are found in an export (HQ-631).
  public var tellsHitID = true
  /// GA4's parameters for wire names such as `cd3`; without an entry, `dimension3` (HQ-633).
  public var names: [String: String] = [:]
  /// Whether texts may have 500 UTF-16 units instead of 100, as on 360 properties.
  public var allowsLongValues = false
  private let secret: String

  /// Makes the protocol for a stream, with its API secret.
  public init(stream: GA4Stream, secret: String) {
    self.stream = stream
    self.secret = secret
  }

  /// Makes the protocol for a lane's address; nil when that names no stream.
  package init?(endpoint: String, secret: String) {
    guard let stream = GA4Stream(endpoint: endpoint) else { return nil }
    self.init(stream: stream, secret: secret)
  }

  static let name = "ga4"
  /// The name in the store's lane rows.
  public var name: String { Self.name }
  /// 25 events, 130,000 bytes a request, 64 KiB a hit.
  public let limits = BatchLimits(hits: GA4Limits.events, bytes: GA4Limits.body, hitBytes: 65_536)
  /// Nobody knows an event again, and after 72 hours it would count for the wrong day (HQ-531, HQ-637).
  public let traits = DeliveryTraits(
    dedupes: false, lateness: .maxAge(.milliseconds(GA4Limits.backdating)), latePolicy: .drop, tellsSession: true)

  /// Everything but beacons.
  public func carries(_ kind: HitKind) -> Bool { kind != .beacon }

  /// Whether the address has the stream's id, and id and secret can be ones.
  public func accepts(endpoint: String) -> Bool {
    stream.isValid && !secret.isEmpty && GA4Stream(endpoint: endpoint) == stream
  }

  /// The bytes of the hit's events, and of what a request has around them.
  public func size(of hit: QueuedHit, at now: HitTime?) -> Int {
    guard let content = HitContent(hit) else { return 0 }
    var writer = JSONWriter()
    let automatic = automatic(hit, content)
    for event in events(of: content, besides: automatic.count) {
      event.write(automatic: automatic, micros: nil, to: &writer)
    }
    let ids = (content.clientID?.utf8.count ?? 0) + (content.userID?.utf8.count ?? 0)
    return writer.bytes.count + Self.envelope + Self.timestamp * weight(of: hit) + 6 * ids
  }

  /// How many events the hit becomes.
  public func weight(of hit: QueuedHit) -> Int { HitContent(hit).map { max(1, events(of: $0, besides: 3).count) } ?? 1 }

  /// Whether both are of one client and user, with one consent.
  public func canJoin(_ hit: QueuedHit, after first: QueuedHit) -> Bool {
    guard let content = HitContent(hit), let other = HitContent(first) else { return false }
    return content.clientID == other.clientID && content.userID == other.userID && hit.consent == first.consent
  }

  /// What the limits cost the hit; in mode strict, or without a client the stream can know, it is refused.
  public func check(_ hit: QueuedHit) -> HitCheck {
    guard let content = HitContent(hit) else { return HitCheck(refusal: .invalidValue("name")) }
    guard clientID(of: content) != nil else { return HitCheck(refusal: .invalidValue("cid")) }
    if mode == .strict, let message = violations(of: hit, content).first {
      return HitCheck(refusal: .invalidValue(message.fieldPath))
    }
    var repair = repair(besides: automatic(hit, content).count)
    for event in translation(content).events { _ = repair.repair(event) }
    return HitCheck(refusedValues: repair.refused, truncatedValues: repair.truncated)
  }

  /// The request for events of one client.
  public func encode(_ hits: ArraySlice<QueuedHit>, _ context: EncodingContext) throws(EncodingError) -> HTTPRequest {
    let contents = hits.map { ($0, HitContent($0)) }
    guard let first = hits.first, let client = contents.first?.1.flatMap(clientID) else {
      throw EncodingError(message: "no hit of a client that the stream can know")
    }
    let merged = TransactionItems(contents.map(\.1))
    var writer = JSONWriter()
    writer.put(stream.isApp ? "{\"app_instance_id\":" : "{\"client_id\":")
    writer.write(client)
    if let user = contents[0].1?.userID {
      writer.put(",\"user_id\":")
      writer.write(user)
    }
    if let micros = Self.micros(of: first, at: context.now) { writer.put(",\"timestamp_micros\":\(micros)") }
    writeConsent(of: first, context, to: &writer)
    writer.put(",\"events\":[")
    for (index, (hit, content)) in contents.enumerated() where !merged.isItemOfOther(index) {
      guard let content else { throw EncodingError(message: "hit \(hit.id) cannot be read") }
      let automatic = automatic(hit, content)
      for event in events(of: content, items: merged.items(of: index), besides: automatic.count) {
        if writer.bytes.last != UInt8(ascii: "[") { writer.put(",") }
        event.write(automatic: automatic, micros: Self.micros(of: hit, at: context.now), to: &writer)
      }
    }
    writer.put("]}")
    return HTTPRequest(
      method: "POST", url: context.endpoint + "&api_secret=" + URIEscape.hit.escape(secret),
      headers: ["Content-Type": "application/json", "User-Agent": context.userAgent], body: writer.bytes)
  }

  /// Any 2xx settles all: the server says nothing of single events.
  public func verdict(_ response: HTTPResponse, for hits: [HitID]) -> Verdict {
    200..<300 ~= response.status ? .settled() : .ofFailure(response)
  }

  /// The names and punctuation of a request, with ids of no length.
  private static let envelope = 320
  /// A timestamp of 18 digits with its name.
  private static let timestamp = 40

  private func repair(besides automatic: Int) -> GA4Repair {
    GA4Repair(isApp: stream.isApp, allowsLongValues: allowsLongValues, automatic: automatic)
  }

  private func translation(_ content: HitContent, items: [HitContent] = []) -> GA4Translation {
    GA4Translation(content: content, isApp: stream.isApp, names: names, items: items)
  }

  private func events(
    of content: HitContent, items: [HitContent] = [], besides automatic: Int
  ) -> [GA4Event] {
    var repair = repair(besides: automatic)
    return translation(content, items: items).events.flatMap { repair.repair($0) }
  }

  private func automatic(_ hit: QueuedHit, _ content: HitContent) -> [(name: String, value: Value)] {
    var automatic: [(name: String, value: Value)] = []
    if let session = content.session { automatic.append(("session_id", .int(session))) }
    automatic.append(("engagement_time_msec", 1))
    if tellsHitID { automatic.append(("tw_hit_id", .string(hit.id.description))) }
    return automatic
  }

  /// The client id in the stream's form; nil for what is none.
  private func clientID(of content: HitContent) -> String? {
    guard let client = content.clientID, !client.isEmpty else { return nil }
    guard stream.isApp else { return client }
    let instance = client.filter { $0 != "-" }
    return GA4Validator.isAppInstance(instance) ? instance : nil
  }

  private func violations(of hit: QueuedHit, _ content: HitContent) -> [GA4Message] {
    var writer = JSONWriter()
    writer.put(stream.isApp ? "{\"app_instance_id\":" : "{\"client_id\":")
    writer.write(clientID(of: content) ?? "")
    writer.put(",\"events\":[")
    for event in translation(content).events {
      if writer.bytes.last != UInt8(ascii: "[") { writer.put(",") }
      event.write(automatic: automatic(hit, content), micros: nil, to: &writer)
    }
    writer.put("]}")
    return GA4Validator(allowsLongValues: allowsLongValues).messages(for: writer.bytes)
  }

  /// When the hit happened, in microseconds since 1970; nil when nobody can know (HQ-502, HQ-545).
  private static func micros(of hit: QueuedHit, at now: HitTime) -> Int64? { hit.occurred(at: now).map { $0 * 1000 } }

  private func writeConsent(of hit: QueuedHit, _ context: EncodingContext, to writer: inout JSONWriter) {
    let personalizes = hit.consent.grants(.adPersonalization, and: context.consent)
    let userData = hit.consent.grants(.adUserData, and: context.consent)
    let word = { (isGranted: Bool) in isGranted ? "GRANTED" : "DENIED" }
    writer.put(
      ",\"consent\":{\"ad_user_data\":\"\(word(userData))\",\"ad_personalization\":\"\(word(personalizes))\"}")
    if !personalizes { writer.put(",\"non_personalized_ads\":true") }
  }
}

extension Destination {
  /// A destination of a GA4 app stream (HQ-630).
  public static func ga4(app firebaseAppID: String, secret: String) -> Destination {
    ga4(.app(firebaseAppID), secret)
  }

  /// A destination of a GA4 web stream.
  public static func ga4(web measurementID: String, secret: String) -> Destination {
    ga4(.web(measurementID), secret)
  }

  private static func ga4(_ stream: GA4Stream, _ secret: String) -> Destination {
    Destination(
      protocol: GA4Protocol(stream: stream, secret: secret), endpoint: stream.endpoint(below: GA4Stream.endpoint))
  }
}
