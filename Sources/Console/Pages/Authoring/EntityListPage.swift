import Authoring
import Hits

/// The entities of a kind: found by name, page by page.
struct EntityListPage: Sendable {
  let visit: Visit
  let collection: EntityCollection

  private static let limit: Int64 = 50

  func show() async throws(APIError) -> ServerResponse {
    let container = try await visit.container()
    let search = visit.query.line("q")
    let after = Int64(visit.query["after"] ?? "") ?? 0
    let answer = try await visit.ask(
      "listEntities",
      ["after": .int(max(0, after)), "limit": .int(Self.limit), "search": .string(String(search.prefix(64)))])
    let names = WorkspaceNames(try await visit.draft().workspace)
    let entities = answer.entries("entities")
    let address = PageAddress.container(container.id, collection.rawValue)
    return PageFrame(title: collection.part.title, visit: visit, container: container, part: collection.part).page {
      element("div", .class("heading")) {
        element("h1", text: collection.part.title)
        if visit.may(.edit), collection != .templates {
          element("a", .class("button"), .href(address.adding("new")), text: "New \(collection.noun)")
        }
      }
      if entities.isEmpty, search.isEmpty, after == 0 {
        element("p", .class("empty"), text: "There is none yet. \(collection.introduction)")
      } else {
        SearchForm(address: address, search: search, noun: collection.noun).html
        table(entities, names, address)
        Pager(
          address: address.asking("q", search.isEmpty ? nil : search), total: answer.whole("total"),
          shown: entities.count,
          after: after > 0, next: answer.whole("next").map(String.init)
        ).html
      }
    }
  }

  private func table(_ entities: [[String: Value]], _ names: WorkspaceNames, _ address: PageAddress) -> HTML {
    element("table", .class("list")) {
      element("thead") {
        element("tr") {
          element("th", Attribute("scope", "col"), text: "Name")
          element("th", Attribute("scope", "col"), text: "Type")
          if collection == .tags { element("th", Attribute("scope", "col"), text: "Fires on") }
          if collection == .triggers { element("th", Attribute("scope", "col"), text: "When") }
          element("th", Attribute("scope", "col"), text: "Folder")
        }
      }
      element("tbody") {
        for fields in entities { row(fields, names, address) }
      }
    }
  }

  private func row(_ fields: [String: Value], _ names: WorkspaceNames, _ address: PageAddress) -> HTML {
    let id = fields.word(collection.kind.idField)
    let name = fields.word("name")
    return element("tr") {
      element("td", Attribute("data-label", "Name")) {
        element("a", .href(address.adding(id)), text: name.isEmpty ? id : name)
        if Tag(fields: fields).isPaused { element("span", .class("badge"), text: "paused") }
      }
      element(
        "td", Attribute("data-label", "Type"), text: EditorChoice.typeName(fields.word("type"), in: collection))
      if collection == .tags {
        element(
          "td", Attribute("data-label", "Fires on"),
          text: Tag(fields: fields).firingTriggerIDs.map(names.triggerName).joined(separator: ", "))
      }
      if collection == .triggers {
        element("td", Attribute("data-label", "When"), text: TriggerSentence.text(Trigger(fields: fields)))
      }
      element(
        "td", Attribute("data-label", "Folder"),
        text: names.folders.first { $0.value == fields.word("parentFolderId") && !$0.value.isEmpty }?.text ?? "")
    }
  }
}

/// A trigger in a line.
enum TriggerSentence {
  static func text(_ trigger: Trigger) -> String {
    (trigger.eventConditions + trigger.conditions).map { condition in
      let row = ConditionForm.row(condition)
      let left = row[0] == Vocabulary.eventName ? "event" : row[0]
      return "\(left) \(ConditionForm.options.first { $0.value == row[1] }?.text ?? row[1]) \(row[2])"
    }.joined(separator: " and ")
  }
}
