import Foundation
import HitQueue
import Hits

/// What became of the hits of one request, and the answer that says so (HQ-700, HQ-701, HQ-665).
struct IntakeTally {
  /// How many hits had which end.
  struct Counts: Sendable, Hashable {
    var accepted = 0
    var duplicate = 0
    var rejected = 0
  }

  private var acknowledgement: Acknowledgement

  var counts: Counts {
    Counts(
      accepted: acknowledgement.accepted, duplicate: acknowledgement.duplicate.count,
      rejected: acknowledgement.rejected.count)
  }

  init(received: Int) { acknowledgement = Acknowledgement(received: received, accepted: 0) }

  mutating func reject(_ hit: RejectedHit, line: Int) {
    acknowledgement.rejected.append(
      Acknowledgement.Rejection(id: hit.id?.description, line: line, code: hit.code.rawValue, field: hit.field))
  }

  mutating func settle(_ hits: [IntakeHit], _ stored: [StoredHit]) {
    for (hit, stored) in zip(hits, stored) {
      if stored == .duplicate {
        acknowledgement.duplicate.append(hit.id.description)
      } else {
        acknowledgement.accepted += 1
      }
    }
  }

  /// The judgement of each hit where the client asks for it, else the picture that has no content.
  func response(asJSON: Bool) -> ServerResponse {
    var response = asJSON ? judgement : ServerResponse(status: 200, headers: Self.pictureHeaders, body: Self.picture)
    response.headers.add(String(acknowledgement.accepted), for: "Tagworks-Accepted")
    response.headers.add(String(acknowledgement.duplicate.count), for: "Tagworks-Duplicate")
    response.headers.add(String(acknowledgement.rejected.count), for: "Tagworks-Rejected")
    return response
  }

  private var judgement: ServerResponse {
    var response = ServerResponse.json(acknowledgement)
    response.headers = Self.headers(type: Acknowledgement.mediaType)
    return response
  }

  private static let pictureHeaders = headers(type: "image/gif")

  private static func headers(type: String) -> HTTPHeaders {
    [
      "Content-Type": type, "Cache-Control": "no-store, no-cache, must-revalidate", "Pragma": "no-cache",
      "X-Content-Type-Options": "nosniff",
    ]
  }

  /// A GIF of one white pixel.
  static let picture: [UInt8] = [
    0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0x01, 0x00, 0x01, 0x00, 0x80, 0xff, 0x00, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00,
    0x2c, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x01, 0x00, 0x00, 0x02, 0x02, 0x44, 0x01, 0x00, 0x3b,
  ]
}
