import Hits

/// A step that cannot be undone, asked once: it tells what the step does before the button that does it (CO-802).
struct Confirmation: Sendable {
  let visit: Visit
  /// Where the form leads.
  let address: PageAddress
  /// What the step is called, such as `Revoke`.
  let step: String
  /// What it is done to.
  let subject: String
  /// What follows from it.
  let consequence: String
  var fields: [String: String] = [:]

  var html: HTML {
    element("details", .class("ask")) {
      element("summary", .label("\(step) \(subject)"), text: step)
      element("form", Attribute("method", "post"), .action(address)) {
        FormParts.token(visit)
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { FormParts.hidden(name, value) }
        element("p", text: consequence + " This cannot be undone.")
        element("button", .type("submit"), .class("danger"), .label("\(step) \(subject) now"), text: "\(step) now")
      }
    }
  }
}
