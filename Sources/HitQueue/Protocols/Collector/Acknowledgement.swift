import Foundation
import Hits

/// A collector's answer that judges hits one by one (HQ-665).
package struct Acknowledgement: Codable, Sendable, Hashable {
  /// The media type by which a client asks for it and knows it.
  package static let mediaType = "application/vnd.tagworks.ack+json"

  /// One refused hit.
  package struct Rejection: Codable, Sendable, Hashable {
    /// Its id; nil when it could not be read.
    package var id: String?
    /// Its place in the request, from 1.
    package var line: Int
    /// Why, in the codes of HQ-666.
    package var code: String
    /// The field it is about.
    package var field: String?

    package init(id: String?, line: Int, code: String, field: String? = nil) {
      self.id = id
      self.line = line
      self.code = code
      self.field = field
    }
  }

  /// The version of this form.
  package var v = 1
  /// Hits in the request.
  package var received: Int
  /// Hits that are stored now and were not before.
  package var accepted: Int
  /// Ids that were stored before.
  package var duplicate: [String]
  /// Hits that will never be stored.
  package var rejected: [Rejection]
  /// Ids to be sent again.
  package var deferred: [String]

  package init(
    received: Int, accepted: Int, duplicate: [String] = [], rejected: [Rejection] = [], deferred: [String] = []
  ) {
    self.received = received
    self.accepted = accepted
    self.duplicate = duplicate
    self.rejected = rejected
    self.deferred = deferred
  }

  /// Reads the body of an answer, or nil when it is no acknowledgement; a missing list is an empty one.
  package init?(_ body: [UInt8]) {
    guard let form = try? JSONDecoder().decode(Form.self, from: Data(body)) else { return nil }
    self.init(
      received: form.received, accepted: form.accepted, duplicate: form.duplicate ?? [],
      rejected: form.rejected ?? [], deferred: form.deferred ?? [])
    v = form.v
  }

  private struct Form: Decodable {
    var v: Int
    var received: Int
    var accepted: Int
    var duplicate: [String]?
    var rejected: [Rejection]?
    var deferred: [String]?
  }

  /// What it means for the hits of a request; nil when the sum does not fit or it names an id that was not sent.
  func verdict(for hits: [HitID]) -> Verdict? {
    guard v == 1, received == hits.count, accepted >= 0 else { return nil }
    if duplicate.isEmpty, rejected.isEmpty, deferred.isEmpty { return accepted == received ? .settled() : nil }
    let sent = Set(hits)
    var named: Set<HitID> = []
    // Each id at most once over all three lists, so that the sum below is a sum of different hits.
    func claim(_ text: String?) -> HitID? {
      guard let text, let id = HitID(text), sent.contains(id), named.insert(id).inserted else { return nil }
      return id
    }
    var rejections: [HitID: String] = [:]
    for rejection in rejected {
      // Without an id, the line tells which hit it was.
      let byLine = 1...max(1, hits.count) ~= rejection.line ? hits.dropFirst(rejection.line - 1).first : nil
      guard let id = claim(rejection.id ?? byLine?.description) else { return nil }
      rejections[id] = rejection.code
    }
    let duplicates = duplicate.compactMap(claim)
    let later = deferred.compactMap(claim)
    guard duplicates.count == duplicate.count, later.count == deferred.count,
      accepted == hits.count - named.count
    else { return nil }
    return .settled(rejected: rejections, duplicates: Set(duplicates), deferred: Set(later))
  }
}
