import Authoring
import Hits
import Testing

@Suite struct ImportPlanTests {
  /// A workspace of a container of its own, with ids that the other one has as well.
  private func workspace(_ container: String, value: String = "1", tagText: String = "{{x}}") -> Workspace {
    var workspace = Workspace.sketch(
      tags: [Tag("tag", id: "1", firing: ["5", "2147479556"], [Parameter("a", tagText)])],
      triggers: [Trigger("trigger", id: "5", [Condition("EQUALS", "{{x}}", value)])],
      variables: [
        Variable("x", type: "c", id: "1", [Parameter("value", value)]),
        Variable("reader", id: "2", [Parameter("name", "{{x}}")]),
      ])
    workspace.fields["containerId"] = .string(container)
    workspace.container["containerId"] = .string(container)
    for index in workspace.tags.indices { workspace.tags[index].fields["containerId"] = .string(container) }
    return workspace
  }

  private func lines(_ plan: ImportPlan) -> [String] {
    plan.changes.map { "\($0.difference.rawValue) \($0.kind) \($0.name)" }
  }

  @Test("CO-201: an empty workspace takes the import as it is")
  func intoEmpty() {
    let imported = workspace("7")
    let plan = ImportPlan(of: imported, into: Workspace(), mode: .overwrite)
    #expect(plan.workspace == imported)
  }

  @Test("CO-201: overwrite replaces every entity and keeps the container")
  func overwrite() {
    var present = workspace("1")
    present.tags.append(Tag("old", id: "2"))
    let plan = ImportPlan(of: workspace("7", value: "2"), into: present, mode: .overwrite)
    #expect(plan.workspace.container == present.container)
    #expect(plan.workspace.tags.map(\.name) == ["tag"])
    #expect(plan.workspace.tags[0].fields["containerId"] == "1")
    #expect(lines(plan) == ["removed tag old", "changed trigger trigger", "changed variable x"])
  }

  @Test("CO-201: merging what is the same changes nothing")
  func same() {
    for resolution in [ImportMode.ConflictResolution.rename, .overwrite] {
      let plan = ImportPlan(of: workspace("7"), into: workspace("1"), mode: .merge(onConflict: resolution))
      #expect(plan.workspace == workspace("1"))
      #expect(plan.changes == [] && plan.renamings == [])
    }
  }

  @Test("CO-201: merging with overwrite puts the import's content in place, ids and references kept")
  func mergeOverwrite() {
    var present = workspace("1")
    present.tags[0].id = "30"
    present.triggers[0].id = "50"
    present.tags[0].firingTriggerIDs = ["50", "2147479556"]
    var imported = workspace("7", value: "2", tagText: "new {{x}}")
    imported.variables[0].name = "X"
    imported.renameVariable("x", to: "X")
    let plan = ImportPlan(of: imported, into: present, mode: .merge(onConflict: .overwrite))
    #expect(lines(plan) == ["changed tag tag", "changed trigger trigger", "changed variable x"])
    let tag = plan.workspace.tags[0]
    #expect(tag.id == "30" && tag.firingTriggerIDs == ["50", "2147479556"])
    #expect(tag.parameters.map(\.text) == ["new {{x}}"])
    #expect(plan.workspace.triggers.map(\.id) == ["50"])
    #expect(plan.workspace.codes == [])
  }

  @Test("CO-201: merging with rename keeps both, and the import's references follow the new names and ids")
  func mergeRename() {
    let present = workspace("1")
    let plan = ImportPlan(of: workspace("7", value: "2"), into: present, mode: .merge(onConflict: .rename))
    #expect(
      plan.renamings.map { "\($0.kind.rawValue) \($0.from) → \($0.to)" }.sorted() == [
        "tag tag → tag (2)", "trigger trigger → trigger (2)", "variable reader → reader (2)", "variable x → x (2)",
      ])
    #expect(Array(plan.workspace.tags.prefix(1)) == present.tags)
    #expect(Array(plan.workspace.variables.prefix(2)) == present.variables)
    let tag = plan.workspace.tags[1]
    #expect(tag.parameters.map(\.text) == ["{{x (2)}}"])
    #expect(tag.id == "2")
    let trigger = plan.workspace.triggers[1]
    #expect(tag.firingTriggerIDs == [trigger.id, "2147479556"])
    #expect(trigger.id == "6")
    #expect(trigger.conditions[0].parameters[0].text == "{{x (2)}}")
    let reader = plan.workspace.variables.first { $0.name == "reader (2)" }
    #expect(reader?.parameters.map(\.text) == ["{{x (2)}}"], "it refers to the variable it came with")
    #expect(plan.workspace.codes == [])
  }

  @Test("CO-201: setup tags, collections' triggers and folders follow what was renamed or renumbered")
  func followers() {
    func workspace(_ note: String) -> Workspace {
      var workspace = Workspace.sketch(
        tags: [
          Tag("first", id: "1", [Parameter("a", .init(note))]),
          Tag("second", id: "2", [], more: ["setupTag": [["tagName": "first"]], "parentFolderId": "3"]),
        ], triggers: [Trigger("on", id: "1", [Condition("EQUALS", "{{Event Name}}", note)])],
        variables: [
          Variable("c", type: "vc", [Parameter("collection", "{}")], more: ["enablingTriggerId": ["1"]])
        ])
      workspace.folders = [Folder(fields: ["name": .string("folder \(note)"), "folderId": "3"])]
      workspace.fields["containerId"] = "1"
      return workspace
    }
    var imported = workspace("b")
    imported.variables[0].name = "d"
    let plan = ImportPlan(of: imported, into: workspace("a"), mode: .merge(onConflict: .rename))
    let second = plan.workspace.tags.last
    #expect(second?.setupTags.map(\.name) == ["first (2)"])
    #expect(plan.workspace.folders.map(\.id) == ["3", "4"])
    #expect(second?.folderID == "4")
    let trigger = plan.workspace.triggers.last
    #expect(plan.workspace.variables.last?.enablingTriggerIDs == [trigger?.id ?? ""])
    #expect(plan.workspace.codes == [])
  }

  @Test("CO-201: a plan is a dry run: neither workspace changes")
  func dryRun() {
    let (present, imported) = (workspace("1"), workspace("7", value: "2"))
    let plan = ImportPlan(of: imported, into: present, mode: .merge(onConflict: .overwrite))
    #expect(!plan.changes.isEmpty)
    #expect(present == workspace("1") && imported == workspace("7", value: "2"))
    #expect(plan.changes == present.changes(to: plan.workspace))
  }
}
