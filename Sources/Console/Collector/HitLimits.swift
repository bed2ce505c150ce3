import HitQueue

/// The limits of `/v1/hits`, as they are published and as they go with a refusal (HQ-652).
struct HitLimits: Encodable {
  var hits = HitLine.Limits.hits
  var body = HitLine.Limits.body
  var unpacked = HitLine.Limits.unpacked
  var hit = HitLine.Limits.hit
  var dedupeDays: Int
}
