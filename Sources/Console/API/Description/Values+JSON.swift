import Authoring
import Hits
import TagManager

extension WorkspaceDiagnostic {
  var json: Value {
    var fields: [String: Value] = [
      "severity": .string(severity.rawValue), "code": .string(code.rawValue), "message": .string(message),
    ]
    fields["field"] = field.map(Value.string)
    if let entity {
      fields["entity"] = [
        "kind": .string(entity.kind.rawValue), "id": .string(entity.id), "name": .string(entity.name),
      ]
    }
    return .map(fields)
  }
}

extension EntityChange {
  var json: Value {
    var item: [String: Value] = [
      "kind": .string(kind), "name": .string(name), "difference": .string(difference.rawValue),
    ]
    item["id"] = id.map(Value.string)
    item["fields"] = .list(
      fields.map { field in
        var shown: [String: Value] = ["name": .string(field.name)]
        shown["from"] = field.from
        shown["to"] = field.to
        return .map(shown)
      })
    return .map(item)
  }
}

extension AuthoredContainer {
  var json: [String: Value] {
    [
      "id": .string(id.text), "kind": .string(kind.rawValue), "name": .string(name), "created": .int(created),
      "requiresApproval": .bool(requiresApproval),
    ]
  }
}

extension ContainerVersion {
  var json: [String: Value] {
    var fields: [String: Value] = [
      "number": .int(Int64(number)), "name": .string(name), "notes": .string(notes),
      "author": .string(created.actor.name), "created": .int(created.time),
    ]
    fields["parent"] = parent.map { .int(Int64($0)) }
    fields["approver"] = approver.map { .string($0.name) }
    return fields
  }
}

extension Publication {
  var json: [String: Value] {
    var fields: [String: Value] = [
      "environment": .string(environment), "sequence": .int(sequence), "version": .int(Int64(version)),
      "percent": .double(share.percent), "author": .string(published.actor.name), "published": .int(published.time),
    ]
    fields["previous"] = previous.map { .int(Int64($0)) }
    return fields
  }
}

extension ContainerEnvironment {
  /// Without its token's digest.
  func json(_ publication: Publication?) -> [String: Value] {
    var fields: [String: Value] = [
      "name": .string(name), "number": .int(Int64(number)), "created": .int(created),
    ]
    fields["publication"] = publication.map { .map($0.json) }
    return fields
  }
}

extension AccessToken {
  /// Without its digest.
  var json: [String: Value] {
    var fields: [String: Value] = [
      "id": .string(id), "name": .string(name), "scope": .string(scope.rawValue), "created": .int(created),
    ]
    fields["container"] = container.map { .string($0.text) }
    fields["expires"] = expires.map(Value.int)
    fields["revoked"] = revoked.map(Value.int)
    return fields
  }
}

extension ConsoleUser {
  /// Without anything about a password.
  var json: [String: Value] {
    [
      "id": .string(id), "name": .string(name), "created": .int(created), "roles": .list(rights.json),
      "isDisabled": .bool(isDisabled),
    ]
  }
}

extension AccessRights {
  fileprivate var json: [Value] {
    let all: [Value] = everywhere.map { [["role": .string($0.role)]] } ?? []
    return all
      + containers.sorted { $0.key.text < $1.key.text }.map { container, scope in
        ["container": .string(container.text), "role": .string(scope.role)]
      }
  }
}

extension PreviewToken {
  /// Without its digest.
  var json: [String: Value] {
    var fields: [String: Value] = [
      "id": .string(id), "author": .string(created.actor.name), "created": .int(created.time),
      "expires": .int(expires),
    ]
    fields["version"] = version.map { .int(Int64($0)) }
    fields["revoked"] = revoked.map(Value.int)
    return fields
  }
}

extension PositionedActivity {
  var json: Value {
    var fields: [String: Value] = [
      "position": .int(position), "time": .int(activity.by.time), "actor": .string(activity.by.actor.name),
      "actorId": .string(activity.by.actor.id), "action": .string(activity.action.rawValue),
      "subject": .string(activity.subject),
    ]
    fields["container"] = activity.container.map { .string($0.text) }
    fields["from"] = activity.from.map(Value.string)
    fields["to"] = activity.to.map(Value.string)
    return .map(fields)
  }
}
