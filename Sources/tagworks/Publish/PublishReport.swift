import Console
import Hits
import TagManager

/// What was published, in one line or as JSON.
struct PublishReport {
  let json: Value
  let text: String

  init(_ delivery: ContainerDelivery) {
    let body = delivery.json
    let sequence = body.headers["Tagworks-Sequence"]
    let signatures = body.headers["Tagworks-Signature"].map { $0.split(separator: ",").count } ?? 0
    json = .map([
      "id": .string(delivery.id.text), "etag": .string(body.etag), "bytes": .int(Int64(body.plain.count)),
      "version": .string(delivery.version),
      "sequence": sequence.flatMap { Int64($0) }.map(Value.int) ?? .null, "signatures": .int(Int64(signatures)),
    ])
    text =
      "\(delivery.id) version \(delivery.version) is live, publication \(sequence ?? "?"): "
      + "\(body.plain.count) bytes, \(body.packed?.count ?? body.plain.count) packed"
      + (signatures > 0 ? ", signed" : ", not signed")
  }
}
