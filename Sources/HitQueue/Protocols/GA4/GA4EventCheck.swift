import Hits

/// Judges one event of a GA4 payload.
struct GA4EventCheck {
  /// The event's place, such as `events[0]`.
  let path: String
  let isApp: Bool
  let allowsLongValues: Bool
  let now: Int64?

  private var names: GA4Validator { GA4Validator() }

  func check(_ event: JSONElement, _ messages: inout [GA4Message]) {
    guard event.kind == .object else {
      messages.append(GA4Message(path, .valueInvalid, "An event must be an object."))
      return
    }
    checkName(event["name"], &messages)
    checkTime(event["timestamp_micros"], &messages)
    guard let parameters = event["params"] else { return }
    guard parameters.kind == .object else {
      messages.append(GA4Message("\(path).params", .valueInvalid, "params must be an object."))
      return
    }
    let place = "\(path).params"
    if parameters.members.count > GA4Limits.parameters {
      messages.append(
        GA4Message(place, .exceededMaxEntities, "The event has more than \(GA4Limits.parameters) parameters."))
    }
    var seen: Set<String> = []
    for member in parameters.members {
      checkParameter(member.key, member.value, at: "\(place).\(member.key)", seen: &seen, &messages)
    }
    checkMoney(parameters, at: place, &messages)
  }

  private func checkName(_ name: JSONElement?, _ messages: inout [GA4Message]) {
    guard let name else {
      messages.append(GA4Message("\(path).name", .valueRequired, "The event has no name."))
      return
    }
    guard let text = name.string else {
      messages.append(GA4Message("\(path).name", .valueInvalid, "An event's name must be a text."))
      return
    }
    var seen: Set<String> = []
    names.checkName(text, longest: GA4Limits.name, at: "\(path).name", seen: &seen, &messages)
    if GA4Name.isReservedEvent(text, isApp: isApp) { messages.append(GA4Validator.reserved("\(path).name")) }
  }

  private func checkTime(_ time: JSONElement?, _ messages: inout [GA4Message]) {
    guard let time, time.kind != .null else { return }
    let place = "\(path).timestamp_micros"
    guard let micros = time.int ?? time.string.flatMap({ Int64($0) }), micros >= 0 else {
      messages.append(GA4Message(place, .valueInvalid, "timestamp_micros must be a whole number, not negative."))
      return
    }
    if let now, micros / 1000 < now - GA4Limits.backdating {
      messages.append(GA4Message(place, .valueOutOfBounds, "The event is older than 72 hours."))
    }
  }

  private func checkParameter(
    _ name: String, _ value: JSONElement, at place: String, seen: inout Set<String>, _ messages: inout [GA4Message]
  ) {
    names.checkName(name, longest: GA4Limits.name, at: place, seen: &seen, &messages)
    if GA4Name.isReservedParameter(name) { messages.append(GA4Validator.reserved(place)) }
    switch value.kind {
    case .array where name == "items": checkItems(value, at: place, &messages)
    case .array, .object:
      messages.append(GA4Message(place, .valueInvalid, "A parameter's value must be a text or a number."))
    default:
      names.checkLength(
        value, limit: GA4Limits.value(of: name, isLong: allowsLongValues), at: place, &messages)
    }
  }

  private func checkItems(_ items: JSONElement, at place: String, _ messages: inout [GA4Message]) {
    if items.items.count > GA4Limits.items {
      messages.append(
        GA4Message(place, .exceededMaxEntities, "The event has more than \(GA4Limits.items) items."))
    }
    for (index, item) in items.items.enumerated() { checkItem(item, at: "\(place)[\(index)]", &messages) }
  }

  private func checkItem(_ item: JSONElement, at place: String, _ messages: inout [GA4Message]) {
    guard item.kind == .object else {
      messages.append(GA4Message(place, .valueInvalid, "An item must be an object."))
      return
    }
    if item["item_id"] == nil, item["item_name"] == nil {
      messages.append(GA4Message(place, .valueRequired, "An item needs item_id or item_name."))
    }
    var seen: Set<String> = []
    var own = 0
    for member in item.members {
      let path = "\(place).\(member.key)"
      names.checkName(member.key, longest: GA4Limits.name, at: path, seen: &seen, &messages)
      if GA4Name.isReservedParameter(member.key) { messages.append(GA4Validator.reserved(path)) }
      if !GA4Limits.itemFields.contains(member.key) { own += 1 }
      if member.value.kind == .array || member.value.kind == .object {
        messages.append(GA4Message(path, .valueInvalid, "An item's value must be a text or a number."))
      }
      names.checkLength(member.value, limit: GA4Limits.value(of: ""), at: path, &messages)
    }
    checkCurrency(item["currency"], at: place, &messages)
    if own > GA4Limits.itemParameters {
      messages.append(
        GA4Message(place, .exceededMaxEntities, "An item has at most \(GA4Limits.itemParameters) own parameters."))
    }
  }

  private func checkMoney(_ parameters: JSONElement, at place: String, _ messages: inout [GA4Message]) {
    let currency = parameters["currency"]
    let value = parameters["value"]
    checkCurrency(currency, at: place, &messages)
    if value != nil, currency == nil {
      messages.append(GA4Message("\(place).currency", .valueRequired, "value needs a currency."))
    }
    if currency != nil, value == nil {
      messages.append(GA4Message("\(place).value", .valueRequired, "currency needs a value."))
    }
  }

  private func checkCurrency(_ currency: JSONElement?, at place: String, _ messages: inout [GA4Message]) {
    guard let currency, currency.string.map(GA4Limits.isCurrency) != true else { return }
    messages.append(
      GA4Message("\(place).currency", .valueInvalid, "A currency is three capital letters (ISO 4217)."))
  }
}
