import Hits

/// What a client would like, by the fields of its request (CO-600).
enum ContentNegotiation {
  /// What apps of this project send: it asks for compiled JSON.
  static let ownAccept = "application/json, application/x-protobuf;q=0.5"

  /// The form by an `Accept` field: compiled JSON, unless the binary form is preferred by its name.
  static func form(accept: String?) -> DeliveryForm {
    guard let accept else { return .json }
    var weights: [DeliveryForm: Double] = [:]
    for item in accept.split(separator: ",") {
      let (name, weight) = item.weighted
      switch name {
      case "application/json", "application/*", "*/*": weights[.json] = max(weight, weights[.json] ?? 0)
      case "application/x-protobuf": weights[.binary] = weight
      default: break
      }
    }
    return (weights[.binary] ?? 0) > (weights[.json] ?? 0) ? .binary : .json
  }

  /// Whether gzip is welcome by an `Accept-Encoding` field.
  static func takesGzip(_ acceptEncoding: String?) -> Bool {
    guard let acceptEncoding else { return false }
    var any: Double?
    for item in acceptEncoding.split(separator: ",") {
      let (name, weight) = item.weighted
      if name == "gzip" { return weight > 0 }
      if name == "*" { any = weight }
    }
    return (any ?? 0) > 0
  }

  /// Whether one of the validators of an `If-None-Match` field is this one; weak ones count as strong (RFC 9110, 13.1.2).
  static func matches(_ etag: String, ifNoneMatch: String?) -> Bool {
    guard let ifNoneMatch else { return false }
    if ifNoneMatch == etag || ifNoneMatch == "*" { return true }
    return ifNoneMatch.split(separator: ",").contains { item in
      let item = item.trimmingBlanks
      return item == etag || (item.hasPrefix("W/") && item.dropFirst(2) == etag)
    }
  }
}

extension Substring {
  /// The name before the parameters in lower case, and the weight of `q=`.
  fileprivate var weighted: (name: String, weight: Double) {
    let parts = split(separator: ";", omittingEmptySubsequences: false).map(\.trimmingBlanks)
    let weight = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
    return (parts.first?.lowercased() ?? "", weight ?? 1)
  }

  fileprivate var trimmingBlanks: Substring {
    let start = drop { $0 == " " || $0 == "\t" }
    guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return start.prefix(0) }
    return start[...last]
  }
}
