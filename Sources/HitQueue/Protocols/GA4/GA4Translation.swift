import Hits

/// What a hit is in GA4's words: its base event, then those of its e-commerce (HQ-631 to HQ-633).
struct GA4Translation {
  let content: HitContent
  let isApp: Bool
  /// GA4's parameters for wire names such as `cd3`; without an entry, `dimension3`.
  let names: [String: String]
  /// The item hits of the same transaction in the same request.
  var items: [HitContent] = []

  private var fields: [String: String] { content.fields }

  /// The events, before any limit is looked at.
  var events: [GA4Event] {
    if case .custom(let name) = content.kind { return [GA4Event(name: name, parameters: content.parameters)] }
    let common = common
    return ([base] + GA4Commerce(fields: fields, names: names).events).map { event in
      // What the event says itself goes before what holds for all events of the hit.
      GA4Event(name: event.name, parameters: event.parameters.merging(common) { own, _ in own })
    }
  }

  private var base: GA4Event {
    switch content.kind {
    case .screenView where isApp: event("screen_view", ["screen_name": "cd"])
    case .screenView: page("page_view", ["page_title": "cd"])
    case .pageView: page("page_view", ["page_title": "dt", "page_referrer": "dr"])
    case .event:
      event(
        GA4Name.event(ofAction: fields["ea"] ?? "", isApp: isApp),
        ["event_category": "ec", "event_action": "ea", "event_label": "el"], numbers: ["event_value": "ev"])
    case .exception: event("exception", ["description": "exd"], numbers: ["fatal": "exf"])
    case .timing:
      event(
        "timing_complete", ["timing_category": "utc", "timing_var": "utv", "timing_label": "utl"],
        numbers: ["timing_value": "utt"])
    case .social: event("share", ["method": "sn", "content_type": "sa", "item_id": "st"])
    case .transaction: transaction
    case .item: item
    case .custom(let name): GA4Event(name: name, parameters: content.parameters)
    case .beacon: GA4Event(name: "event", parameters: [:])
    }
  }

  private func event(
    _ name: String, _ texts: [String: String], numbers: [String: String] = [:]
  ) -> GA4Event {
    var parameters = texts.compactMapValues { fields[$0].map { Value.string($0) } }
    for (name, field) in numbers { parameters[name] = fields[field].map(Value.init(wireNumber:)) }
    return GA4Event(name: name, parameters: parameters)
  }

  private func page(_ name: String, _ texts: [String: String]) -> GA4Event {
    var event = event(name, texts)
    event.parameters["page_location"] = .string(content.address)
    return event
  }

  private var transaction: GA4Event {
    var event = GA4Event(name: "purchase", parameters: GA4Commerce.order(fields))
    let items = items.map { item in
      Value.map(
        Self.texts(["item_id": "ic", "item_name": "in", "item_category": "iv"], item.fields)
          .merging(Self.numbers(["price": "ip", "quantity": "iq"], item.fields)) { text, _ in text })
    }
    if !items.isEmpty { event.parameters["items"] = .list(items) }
    return event
  }

  private var item: GA4Event {
    event(
      "transaction_item",
      ["transaction_id": "ti", "item_id": "ic", "item_name": "in", "item_category": "iv"],
      numbers: ["price": "ip", "quantity": "iq"])
  }

  /// Dimensions, metrics, content groups and the campaign.
  private var common: [String: Value] {
    var common = Self.texts(
      ["campaign": "cn", "source": "cs", "medium": "cm", "term": "ck", "content": "cc", "campaign_id": "ci"], fields)
    common.merge(Self.custom(fields, names: names)) { first, _ in first }
    for (name, value) in fields {
      guard let index = ProductFields.index(of: name, after: "cg") else { continue }
      common[names[name] ?? (index == 1 ? "content_group" : "content_group\(index)")] = .string(value)
    }
    return common
  }

  /// Custom dimensions and metrics, of a hit or of a product.
  static func custom(_ fields: [String: String], names: [String: String]) -> [String: Value] {
    var custom: [String: Value] = [:]
    for (name, value) in fields {
      if let index = ProductFields.index(of: name, after: "cd") {
        custom[names[name] ?? "dimension\(index)"] = .string(value)
      } else if let index = ProductFields.index(of: name, after: "cm") {
        custom[names[name] ?? "metric\(index)"] = Value(wireNumber: value)
      }
    }
    return custom
  }

  static func texts(_ names: [String: String], _ fields: [String: String]) -> [String: Value] {
    names.compactMapValues { fields[$0].map { .string($0) } }
  }

  static func numbers(_ names: [String: String], _ fields: [String: String]) -> [String: Value] {
    names.compactMapValues { fields[$0].map(Value.init(wireNumber:)) }
  }
}

extension Value {
  /// A number as it stands in a hit; a text that is none stays a text.
  init(wireNumber text: String) {
    if let whole = Int64(text) {
      self = .int(whole)
    } else if let number = Double(text), number.isFinite {
      self = .double(number)
    } else {
      self = .string(text)
    }
  }
}
