import Foundation
import Hits

/// The demo's ad server: answers with a playlist and its documents, and counts every beacon.
///
///     /vmap → pre-roll /pod (two ads) · mid-roll at 30 s /outer → /inner → /mid · post-roll /none (no ad)
final class AdServer: HTTPTransport {
  static let adTag = "https://ads.example/vmap"

  private let beacons = Locked<[String: Int]>([:])

  /// How many beacons of a name came.
  func count(of event: String) -> Int { beacons.withLock { $0[event] ?? 0 } }

  /// How many beacons came.
  var total: Int { beacons.withLock { $0.values.reduce(0, +) } }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let path = URLComponents(string: request.url)?.path ?? ""
    if let document = Self.documents[path] {
      return HTTPResponse(
        status: 200, headers: ["Content-Type": "application/xml"], body: Array(document.utf8), url: request.url)
    }
    guard path.hasPrefix("/track/") else { return HTTPResponse(status: 404, url: request.url) }
    beacons.withLock { $0[String(path.dropFirst("/track/".count)), default: 0] += 1 }
    return HTTPResponse(status: 204, url: request.url)
  }

  private static let documents = [
    "/vmap": """
    <?xml version="1.0" encoding="UTF-8"?>
    <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">
    \(adBreak("start", "preroll", "pod"))\(adBreak("00:00:30.000", "midroll", "outer"))\(adBreak("end", "postroll", "none"))
    </vmap:VMAP>
    """,
    "/pod": vast(
      ad("shoes", "Running shoes", sequence: 1, skip: nil) + ad("coffee", "Fresh coffee", sequence: 2, skip: 5)),
    "/outer": vast(wrapper("exchange", to: "inner")),
    "/inner": vast(wrapper("agency", to: "mid")),
    "/mid": vast(ad("bicycle", "City bicycle", sequence: nil, skip: nil)),
    "/none": "<VAST version=\"4.2\"><Error>\(url("error?code=[ERRORCODE]"))</Error></VAST>",
  ]

  private static func url(_ event: String) -> String { "<![CDATA[https://ads.example/track/\(event)]]>" }

  private static func vast(_ ads: String) -> String { "<VAST version=\"4.2\">\(ads)</VAST>" }

  private static func adBreak(_ offset: String, _ id: String, _ document: String) -> String {
    let trackings = ["breakStart", "breakEnd", "error"].map {
      "<vmap:Tracking event=\"\($0)\">\(url($0))</vmap:Tracking>"
    }
    return """
      <vmap:AdBreak timeOffset="\(offset)" breakType="linear" breakId="\(id)"><vmap:AdSource><vmap:AdTagURI>
      https://ads.example/\(document)?cb=[CACHEBUSTING]</vmap:AdTagURI></vmap:AdSource><vmap:TrackingEvents>\
      \(trackings.joined())</vmap:TrackingEvents></vmap:AdBreak>
      """
  }

  private static func ad(_ id: String, _ title: String, sequence: Int?, skip: Int?) -> String {
    let events = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
    let trackings = events.map { "<Tracking event=\"\($0)\">\(url("\($0)?ad=\(id)"))</Tracking>" }.joined()
    let number = sequence.map { " sequence=\"\($0)\"" } ?? ""
    let offset = skip.map { " skipoffset=\"00:00:0\($0)\"" } ?? ""
    return """
      <Ad id="\(id)"\(number)><InLine><AdSystem>demo</AdSystem><AdTitle>\(title)</AdTitle><Impression>\(url("impression"))\
      </Impression><Creatives><Creative><Linear\(offset)><Duration>00:00:10</Duration><TrackingEvents>\(trackings)\
      </TrackingEvents><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" height="360" bitrate="800">\
      https://media.example/\(id).mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad>
      """
  }

  private static func wrapper(_ id: String, to document: String) -> String {
    """
    <Ad id="\(id)"><Wrapper><AdSystem>\(id)</AdSystem><Impression>\(url("wrapperImpression?by=\(id)"))</Impression>\
    <VASTAdTagURI><![CDATA[https://ads.example/\(document)]]></VASTAdTagURI></Wrapper></Ad>
    """
  }
}
