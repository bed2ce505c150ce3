import Authoring
import Hits
import TagManager

/// What the API speaks of, as objects.
extension APISchema {
  static let error = APISchema(
    "Error",
    [
      APIField("error", .schema(reason), "Why the request is refused."),
      .optional("yours", .object, "The export file that was sent, where a save was stale."),
      .optional("theirs", .schema(draft), "The draft that is there, where a save was stale."),
    ])

  private static let reason = APISchema(
    "Reason",
    [
      APIField("code", .shortText, "What is wrong, as a stable text."),
      APIField("message", .longText, "A sentence for a person."),
      .optional("diagnostics", .list(.schema(diagnostic)), "What can be mended."),
    ])

  static let diagnostic = APISchema(
    "Diagnostic",
    [
      APIField("severity", .choice(["error", "warning", "info"]), "An error stops publishing."),
      APIField("code", .shortText, "What it is, as a stable text."),
      APIField("message", .longText, "A sentence that names the remedy."),
      .optional("field", .longText, "The field it is about."),
      .optional("entity", .schema(entityReference), "The entity it is about."),
    ])

  static let entityReference = APISchema(
    "EntityReference",
    [
      APIField("kind", .choice(EntityKind.allCases.map(\.rawValue)), "The kind of the entity."),
      APIField("id", .longText, "Its id."), APIField("name", .longText, "Its name."),
    ])

  static let container = APISchema(
    "Container",
    [
      APIField("id", .shortText, "By what apps open it."),
      APIField(
        "kind", .choice(ContainerKind.allCases.map(\.rawValue)), "What it is for; ios and android are compiled."),
      APIField("name", .name, "What people call it."), APIField("created", .time, "Milliseconds since 1970 UTC."),
      APIField("requiresApproval", .flag, "Whether another person must publish an author's change."),
    ])

  static let draft = APISchema(
    "Draft",
    [
      APIField("revision", .count, "Counts the saves; a save says which one it is based on."),
      .optional("base", .count, "The last version that was made of it."),
      APIField("savedBy", .name, "Who saved it."), APIField("savedAt", .time, "Milliseconds since 1970 UTC."),
      APIField("workspace", .object, "The export file."),
    ])

  /// What is told after a save.
  static let saved = APISchema(
    "Saved",
    [
      APIField("revision", .count, "The draft's new revision."),
      .optional("entity", .object, "The entity as it was saved."),
      APIField("diagnostics", .list(.schema(diagnostic)), "What the author should know about the workspace."),
    ])

  static let change = APISchema(
    "Change",
    [
      APIField("kind", .shortText, "What has changed, such as tag."),
      .optional("id", .longText, "Its id."), APIField("name", .longText, "Its name."),
      APIField("difference", .choice(["added", "removed", "changed"]), "How the two sides differ."),
      APIField("fields", .list(.schema(changedField)), "The fields that differ."),
    ])

  private static let changedField = APISchema(
    "ChangedField",
    [
      APIField("name", .longText, "The field."), .optional("from", .any, "What it was."),
      .optional("to", .any, "What it is."),
    ])

  static let version = APISchema(
    "Version",
    [
      APIField("number", .count, "Counts the versions of the container."), APIField("name", .name, "Its name."),
      APIField("notes", .longText, "The author's notes."), .optional("parent", .count, "The version before it."),
      APIField("author", .name, "Who made it."), APIField("created", .time, "Milliseconds since 1970 UTC."),
      .optional("approver", .name, "Who approved of it."),
    ])

  static let environment = APISchema(
    "Environment",
    [
      APIField("name", .name, "Its name; live needs no token."),
      APIField("number", .count, "Its number; preview links say env-2."),
      APIField("created", .time, "Milliseconds since 1970 UTC."),
      .optional("publication", .schema(publication), "What is in force there."),
    ])

  static let publication = APISchema(
    "Publication",
    [
      APIField("environment", .name, "Where it is live."),
      APIField("sequence", .count, "Grows with each publication of the environment."),
      APIField("version", .count, "The version."),
      APIField("percent", .number(0...100), "The share of installs that get it."),
      .optional("previous", .count, "What the other installs have."),
      APIField("author", .name, "Who published it."), APIField("published", .time, "Milliseconds since 1970 UTC."),
    ])

  static let token = APISchema(
    "Token",
    [
      APIField("id", .shortText, "By what it is revoked."), APIField("name", .name, "What it is for."),
      APIField("scope", .choice(AccessScope.allCases.map(\.rawValue)), "What it may do."),
      .optional("container", .shortText, "The one container it is for; missing for all."),
      APIField("created", .time, "Milliseconds since 1970 UTC."),
      .optional("expires", .time, "From when on it is refused; missing for never."),
      .optional("revoked", .time, "When it was revoked."),
    ])

  static let user = APISchema(
    "User",
    [
      APIField("id", .shortText, "By what the person is named."),
      APIField("name", .name, "By what the person signs in."),
      APIField("created", .time, "Milliseconds since 1970 UTC."),
      APIField("roles", .list(.schema(role)), "What the person may do."),
      APIField("isDisabled", .flag, "Whether the person is let in no more."),
    ])

  static let role = APISchema(
    "Role",
    [
      .optional("container", .text(limit: 64), "The container it is for; missing for all."),
      APIField("role", .choice(AccessScope.allCases.map(\.role)), "What the person may do there."),
    ])

  static let preview = APISchema(
    "Preview",
    [
      APIField("id", .shortText, "By what it is revoked."),
      .optional("version", .count, "The version it shows; missing for the draft."),
      APIField("author", .name, "Who made it."), APIField("created", .time, "Milliseconds since 1970 UTC."),
      APIField("expires", .time, "From when on it is refused."), .optional("revoked", .time, "When it was revoked."),
    ])

  static let activity = APISchema(
    "Activity",
    [
      APIField("position", .count, "Its place in the log."), APIField("time", .time, "Milliseconds since 1970 UTC."),
      APIField("actor", .name, "Who did it."), APIField("actorId", .name, "What tells actors apart."),
      APIField("action", .shortText, "What was done."), .optional("container", .shortText, "About which container."),
      APIField("subject", .longText, "About what."), .optional("from", .longText, "What was before."),
      .optional("to", .longText, "What is now."),
    ])

  /// A page of a list.
  static func page(_ name: String, _ items: String, of type: APIType, _ more: [APIField] = []) -> APISchema {
    APISchema(
      name,
      [
        APIField(items, .list(type), "The items of this page."),
        .optional("next", .any, "Where the next page begins; missing on the last."),
      ] + more)
  }

  /// A thing with a secret that is shown this once.
  static func withSecret(_ schema: APISchema) -> APISchema {
    APISchema(
      "New\(schema.name)", schema.fields + [APIField("token", .shortText, "The token itself: it is shown this once.")])
  }
}
