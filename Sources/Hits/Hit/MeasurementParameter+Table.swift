extension MeasurementParameter {
  /// Every parameter, in the order of the protocol's reference.
  package static let all: [MeasurementParameter] =
    general + traffic + content + events + commerce + indexedCommerce + interactions

  private static let general: [MeasurementParameter] = [
    .init("v", .text(limit: nil), isReserved: true),
    .init("tid", .text(limit: 64)),
    .init("cid", .text(limit: 64)),
    .init("uid", .text(limit: 256)),
    .init(
      "t",
      .oneOf([
        "pageview", "screenview", "appview", "event", "transaction", "item", "social", "exception", "timing",
      ]), isReserved: true),
    .init("aip", .presence),
    .init("ds", .text(limit: 100)),
    .init("npa", .presence),
    .init("qt", .integer(minimum: 0), isReserved: true),
    .init("z", .text(limit: 64), isReserved: true),
    .init("sc", .oneOf(["start", "end"])),
    .init("uip", .text(limit: 45)),
    .init("ua", .text(limit: 512)),
    .init("geoid", .text(limit: 32)),
    .init("xid", .text(limit: 40)),
    .init("xvar", .text(limit: 100)),
    .init("ht", .integer(minimum: nil), isReserved: true),
    .init("_s", .integer(minimum: nil), isReserved: true),
    .init("_v", .text(limit: 20), isReserved: true),
    .init("useSecure", .local),
  ]

  private static let traffic: [MeasurementParameter] = [
    .init("dr", .text(limit: 2048)),
    .init("cn", .text(limit: 100)),
    .init("cs", .text(limit: 100)),
    .init("cm", .text(limit: 50)),
    .init("ck", .text(limit: 500)),
    .init("cc", .text(limit: 500)),
    .init("ci", .text(limit: 100)),
    .init("gclid", .text(limit: 256)),
    .init("dclid", .text(limit: 256)),
    .init("aclid", .text(limit: 256)),
    .init("anid", .text(limit: 256)),
    .init("gmob_t", .text(limit: 256)),
    .init("sr", .text(limit: 20)),
    .init("vp", .text(limit: 20)),
    .init("de", .text(limit: 20)),
    .init("sd", .text(limit: 20)),
    .init("ul", .text(limit: 20)),
    .init("je", .boolean),
    .init("fl", .text(limit: 20)),
    .init("ni", .boolean),
  ]

  private static let content: [MeasurementParameter] = [
    .init("dl", .text(limit: 2048)),
    .init("dh", .text(limit: 100)),
    .init("dp", .text(limit: 2048)),
    .init("dt", .text(limit: 1500)),
    .init("cd", .text(limit: 2048)),
    .init("cg#", .text(limit: 100), indexes: [10]),
    .init("linkid", .text(limit: 256)),
    .init("an", .text(limit: 100)),
    .init("aid", .text(limit: 150)),
    .init("av", .text(limit: 100)),
    .init("aiid", .text(limit: 150)),
    .init("dm", .text(limit: 100)),
    .init("a", .text(limit: 32)),
    .init("idfa", .text(limit: 64)),
    .init("ate", .boolean),
    .init("sf", .number),
    .init("cd#", .text(limit: 150), indexes: [200]),
    .init("cm#", .number, indexes: [200]),
  ]

  private static let events: [MeasurementParameter] = [
    .init("ec", .text(limit: 150), on: .event),
    .init("ea", .text(limit: 500), on: .event),
    .init("el", .text(limit: 500), on: .event),
    .init("ev", .integer(minimum: 0), on: .event),
  ]

  private static let commerce: [MeasurementParameter] = [
    .init("ti", .text(limit: 500), on: [.transaction, .item, .productAction]),
    .init("ta", .text(limit: 500), on: [.transaction, .productAction]),
    .init("tr", .currency, on: [.transaction, .productAction]),
    .init("ts", .currency, on: [.transaction, .productAction]),
    .init("tt", .currency, on: [.transaction, .productAction]),
    .init("in", .text(limit: 500), on: .item),
    .init("ip", .currency, on: .item),
    .init("iq", .integer(minimum: nil), on: .item),
    .init("ic", .text(limit: 500), on: .item),
    .init("iv", .text(limit: 500), on: .item),
    .init("cu", .text(limit: 10), on: [.transaction, .item, .productAction]),
    .init(
      "pa",
      .oneOf(["detail", "click", "add", "remove", "checkout", "checkout_option", "purchase", "refund"])),
    .init("tcc", .text(limit: 500)),
    .init("pal", .text(limit: 500)),
    .init("pls", .text(limit: 500)),
    .init("cos", .integer(minimum: 1)),
    .init("col", .text(limit: 500)),
    .init("promoa", .oneOf(["view", "click"])),
  ]

  private static let indexedCommerce: [MeasurementParameter] = [
    .init("pr#id", .text(limit: 500), indexes: [200]),
    .init("pr#nm", .text(limit: 500), indexes: [200]),
    .init("pr#br", .text(limit: 500), indexes: [200]),
    .init("pr#ca", .text(limit: 500), indexes: [200]),
    .init("pr#va", .text(limit: 500), indexes: [200]),
    .init("pr#pr", .currency, indexes: [200]),
    .init("pr#qt", .integer(minimum: nil), indexes: [200]),
    .init("pr#cc", .text(limit: 500), indexes: [200]),
    .init("pr#ps", .integer(minimum: nil), indexes: [200]),
    .init("pr#cd#", .text(limit: 150), indexes: [200, 200]),
    .init("pr#cm#", .number, indexes: [200, 200]),
    .init("il#nm", .text(limit: 500), indexes: [30]),
    .init("il#ls", .text(limit: 500), indexes: [30]),
    .init("il#pi#id", .text(limit: 500), indexes: [30, 200]),
    .init("il#pi#nm", .text(limit: 500), indexes: [30, 200]),
    .init("il#pi#br", .text(limit: 500), indexes: [30, 200]),
    .init("il#pi#ca", .text(limit: 500), indexes: [30, 200]),
    .init("il#pi#va", .text(limit: 500), indexes: [30, 200]),
    .init("il#pi#pr", .currency, indexes: [30, 200]),
    .init("il#pi#ps", .integer(minimum: nil), indexes: [30, 200]),
    .init("il#pi#cd#", .text(limit: 150), indexes: [30, 200, 200]),
    .init("il#pi#cm#", .number, indexes: [30, 200, 200]),
    .init("promo#id", .text(limit: 500), indexes: [200]),
    .init("promo#nm", .text(limit: 500), indexes: [200]),
    .init("promo#cr", .text(limit: 500), indexes: [200]),
    .init("promo#ps", .text(limit: 500), indexes: [200]),
  ]

  private static let interactions: [MeasurementParameter] = [
    .init("sn", .text(limit: 50), on: .social),
    .init("sa", .text(limit: 50), on: .social),
    .init("st", .text(limit: 2048), on: .social),
    .init("utc", .text(limit: 150), on: .timing),
    .init("utv", .text(limit: 500), on: .timing),
    .init("utt", .integer(minimum: 0), on: .timing),
    .init("utl", .text(limit: 500), on: .timing),
    .init("plt", .integer(minimum: 0), on: .timing),
    .init("dns", .integer(minimum: 0), on: .timing),
    .init("pdt", .integer(minimum: 0), on: .timing),
    .init("rrt", .integer(minimum: 0), on: .timing),
    .init("tcp", .integer(minimum: 0), on: .timing),
    .init("srt", .integer(minimum: 0), on: .timing),
    .init("dit", .integer(minimum: 0), on: .timing),
    .init("clt", .integer(minimum: 0), on: .timing),
    .init("exd", .text(limit: 150), on: .exception),
    .init("exf", .boolean, on: .exception),
  ]
}

extension HitKind {
  /// The fields without which a hit of this kind is refused (HQ-110); a page view may have `dh` and `dp` for `dl`.
  package var requiredFields: [String] {
    switch self {
    case .screenView: ["cd"]
    case .pageView: ["dl"]
    case .event: ["ec", "ea"]
    case .exception, .custom: []
    case .timing: ["utc", "utv", "utt"]
    case .social: ["sn", "sa", "st"]
    case .transaction: ["ti"]
    case .item: ["ti", "in"]
    case .beacon: ["url"]
    }
  }
}
