/// An attribute of an element; without a value it is one that is only there.
struct Attribute: Sendable {
  let name: StaticString
  let value: String?

  init(_ name: StaticString, _ value: String?) {
    self.name = name
    self.value = value
  }

  static func `class`(_ names: String) -> Attribute { Attribute("class", names) }
  static func id(_ id: String) -> Attribute { Attribute("id", id) }
  static func `for`(_ id: String) -> Attribute { Attribute("for", id) }
  static func href(_ address: PageAddress) -> Attribute { Attribute("href", address.text) }
  static func action(_ address: PageAddress) -> Attribute { Attribute("action", address.text) }
  static func name(_ name: String) -> Attribute { Attribute("name", name) }
  static func type(_ type: String) -> Attribute { Attribute("type", type) }
  static func value(_ value: String) -> Attribute { Attribute("value", value) }
  static func label(_ text: String) -> Attribute { Attribute("aria-label", text) }

  /// An attribute that is there, or not.
  static func flag(_ name: StaticString, _ isThere: Bool) -> Attribute? { isThere ? Attribute(name, nil) : nil }
}
