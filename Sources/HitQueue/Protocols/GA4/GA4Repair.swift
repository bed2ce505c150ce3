import Hits

/// Brings events within GA4's limits, and counts what that costs (HQ-634).
///
/// Texts are cut, what has no place is left out, names are mended; nothing is refused here.
struct GA4Repair {
  var isApp: Bool
  /// Whether texts may have 500 units (360 properties).
  var allowsLongValues = false
  /// How many parameters the library adds to each event.
  var automatic = 0
  private(set) var refused = 0
  private(set) var truncated = 0

  init(isApp: Bool, allowsLongValues: Bool = false, automatic: Int = 0) {
    self.isApp = isApp
    self.allowsLongValues = allowsLongValues
    self.automatic = automatic
  }

  /// The event as it may be sent; several when it has more items than one takes.
  mutating func repair(_ event: GA4Event) -> [GA4Event] {
    var parameters: [String: Value] = [:]
    var items: [Value] = []
    for (name, value) in event.parameters.sorted(by: { $0.key.precedesInBytes($1.key) }) {
      if name == "items", let list = value.list {
        items = list.compactMap { item($0) }
      } else if let name = parameterName(name), let value = scalar(value, of: name), parameters[name] == nil {
        parameters[name] = value
      } else {
        refused += 1
      }
    }
    checkMoney(&parameters)
    drop(from: &parameters, downTo: GA4Limits.parameters - automatic - (items.isEmpty ? 0 : 1)) { _ in true }
    let repaired = GA4Event(name: GA4Name.event(event.name, isApp: isApp), parameters: parameters)
    guard !items.isEmpty else { return [repaired] }
    return stride(from: 0, to: items.count, by: GA4Limits.items).map { start in
      var part = repaired
      part.parameters["items"] = .list(Array(items[start..<min(items.count, start + GA4Limits.items)]))
      return part
    }
  }

  private func parameterName(_ name: String) -> String? {
    let wellFormed = GA4Name.isWellFormed(name) ? name : GA4Name.repaired(name)
    guard !wellFormed.isEmpty, !GA4Name.isReservedParameter(name) else { return nil }
    return String(wellFormed.prefix(GA4Limits.name))
  }

  private mutating func scalar(_ value: Value, of name: String) -> Value? {
    switch value {
    case .string(let text):
      guard let cut = GA4Limits.cut(text, to: GA4Limits.value(of: name, isLong: allowsLongValues)) else { return value }
      truncated += 1
      return .string(cut)
    case .int, .bool: return value
    case .double(let number): return number.isFinite ? value : nil
    case .list, .map, .null, .absent: return nil
    }
  }

  private mutating func item(_ item: Value) -> Value? {
    guard let fields = item.map, fields["item_id"] != nil || fields["item_name"] != nil else {
      refused += 1
      return nil
    }
    var kept: [String: Value] = [:]
    for (name, value) in fields.sorted(by: { $0.key.precedesInBytes($1.key) }) {
      if let name = parameterName(name), let value = scalar(value, of: ""), kept[name] == nil {
        kept[name] = value
      } else {
        refused += 1
      }
    }
    let standard = kept.keys.count { GA4Limits.itemFields.contains($0) }
    drop(from: &kept, downTo: standard + GA4Limits.itemParameters) { !GA4Limits.itemFields.contains($0) }
    return .map(kept)
  }

  /// Leaves out what is too much, from the end of the names' byte order.
  private mutating func drop(
    from parameters: inout [String: Value], downTo count: Int, _ mayGo: (String) -> Bool
  ) {
    guard parameters.count > count else { return }
    let candidates = parameters.keys.filter(mayGo).sorted { $1.precedesInBytes($0) }
    for name in candidates.prefix(parameters.count - max(count, 0)) {
      parameters[name] = nil
      refused += 1
    }
  }

  /// `value` and `currency` go together, and a currency is three capital letters.
  private mutating func checkMoney(_ parameters: inout [String: Value]) {
    if let currency = parameters["currency"], currency.string.map(GA4Limits.isCurrency) != true {
      parameters["currency"] = nil
      refused += 1
    }
    if (parameters["currency"] == nil) != (parameters["value"] == nil) {
      parameters["currency"] = nil
      parameters["value"] = nil
      refused += 1
    }
  }
}
