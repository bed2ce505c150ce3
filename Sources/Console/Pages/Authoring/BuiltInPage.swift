import Authoring
import Hits

/// The built-in variables of a container: switched on and off (CO-205).
struct BuiltInPage: Sendable {
  let visit: Visit

  private var address: PageAddress { .container(visit.containerID, EntityCollection.builtInVariables.rawValue) }

  /// The page; after a save that came too late with what was ticked, and who was quicker (CO-401).
  func show(isLate: Bool = false) async throws(APIError) -> ServerResponse {
    let container = try await visit.container()
    let (draft, workspace) = try await visit.draft()
    let enabled = Dictionary(
      workspace.builtInVariables.map { ($0.type, $0.name) }, uniquingKeysWith: { first, _ in first })
    let known = Vocabulary.builtInVariables
    let others = workspace.builtInVariables.filter { builtIn in !known.contains { $0.type == builtIn.type } }
    let rows = known + others.map { (type: $0.type, name: $0.name) }
    return PageFrame(title: "Built-in variables", visit: visit, container: container, part: .builtIns).page(
      status: isLate ? 409 : 200
    ) {
      element("h1", text: "Built-in variables")
      if isLate {
        element("div", .class("problems"), Attribute("role", "alert"), Attribute("tabindex", "-1")) {
          element(
            "p",
            text:
              "\(draft.saved.actor.name) has saved the workspace since you opened this page. What you switched on is "
              + "below, and not saved yet.")
        }
      }
      element("p", text: EntityCollection.builtInVariables.introduction)
      element("form", Attribute("method", "post"), .action(address.adding("new"))) {
        FormParts.token(visit)
        FormParts.hidden("revision", String(draft.revision))
        element("fieldset", .class("checks")) {
          element("legend", text: "Switched on")
          for row in rows {
            element("div", .class("check")) {
              element(
                "input", .id("b-\(row.type)"), .type("checkbox"), .name("on.\(row.type)"), .value("on"),
                .flag("checked", isLate ? visit.form.isChecked("on.\(row.type)") : enabled[row.type] != nil),
                .flag("disabled", !visit.may(.edit)))
              element("label", .for("b-\(row.type)"), text: name(enabled[row.type], row))
            }
          }
        }
        if visit.may(.edit) {
          element("div", .class("actions")) { element("button", .type("submit"), text: isLate ? "Save mine" : "Save") }
        }
      }
    }
  }

  private func name(_ own: String?, _ row: (type: String, name: String)) -> String {
    guard let own, !own.isEmpty, own != row.name else { return row.name.isEmpty ? row.type : row.name }
    return "\(own) (\(row.name))"
  }

  /// Saves which are switched on, in one step; those that stay keep their names.
  func save() async throws(APIError) -> ServerResponse {
    var (_, workspace) = try await visit.draft()
    let present = workspace.builtInVariables
    var result = present.filter { visit.form.isChecked("on.\($0.type)") }
    for (type, name) in Vocabulary.builtInVariables
    where visit.form.isChecked("on.\(type)") && !present.contains(where: { $0.type == type }) {
      result.append(BuiltInVariable(fields: ["type": .string(type), "name": .string(name)]))
    }
    if result != present {
      workspace.builtInVariables = result
      workspace.fields[EntityKind.builtInVariable.rawValue] = nil
      do throws(APIError) {
        _ = try await visit.ask(
          "replaceWorkspace", ["revision": .int(Int64(visit.form["revision"] ?? "") ?? 0)], body: workspace.exportBytes)
      } catch {
        guard error.status == 409 else { throw error }
        return try await show(isLate: true)
      }
    }
    return .seeOther(address.telling(.saved))
  }
}
