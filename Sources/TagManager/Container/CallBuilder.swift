import Hits

/// Where a call's values come from: the pool of a binary file or the JSON text.
protocol CallValues {
  /// A value that is not in the pool yet.
  associatedtype Handle

  /// The value, when it is a scalar.
  func scalar(_ handle: Handle) -> Value?
  /// The items, when it is a list.
  func items(_ handle: Handle) -> [Handle]?
  /// The tag, when it is a reference to one that exists.
  func tagReference(_ handle: Handle) throws(DecodingFault) -> TagReference?
  /// The index of the value in the canonical pool, which it joins when it is new.
  mutating func add(_ handle: Handle) throws(DecodingFault) -> ValueIndex
}

/// One key of a call and its value.
struct CallEntry<Handle> {
  var key: String
  var value: Handle
  /// A parameter even when the key is a structural one, as a `vtp_` key of compiled JSON is.
  var isParameter = false
}

/// Makes calls of their keys and values: sets the structural keys apart from the parameters (TM-150).
///
/// Values join the pool in the order of their keys, so that the pool of equal calls is equal.
struct CallBuilder {
  let limits: DecodeLimits

  /// The structural keys that a kind knows; the others are parameters (TM-150).
  static func isStructural(_ key: String, of kind: FunctionKind) -> Bool {
    switch key {
    case "function", "instance_name", "instance_label", "vendor_template_version", "data_layer_version": true
    case "not_default_macro", "push_after_evaluate": kind == .macro
    case "tag_id", "priority", "once_per_event", "once_per_load", "live_only", "setup_tags", "teardown_tags",
      "schedule_start_ms", "schedule_end_ms", "consent_required":
      kind == .tag
    default: false
    }
  }

  /// - Parameter entries: in the byte order of their keys, each key at most once as a parameter and once otherwise.
  func call<Values: CallValues>(
    _ kind: FunctionKind, _ entries: [CallEntry<Values.Handle>], in values: inout Values,
    at location: @autoclosure () -> String
  ) throws(DecodingFault) -> Call {
    var id: String?
    var name = ""
    var keys = StructuralKeys()
    var push: Values.Handle?
    var parameters: [CallEntry<Values.Handle>] = []
    for entry in entries {
      guard !entry.isParameter, Self.isStructural(entry.key, of: kind) else {
        parameters.append(entry)
        continue
      }
      switch entry.key {
      case "function": id = values.scalar(entry.value)?.string
      case "instance_name": name = values.scalar(entry.value)?.structuralText ?? ""
      case "push_after_evaluate": push = entry.value
      default: try keys.set(entry.key, to: entry.value, in: values)
      }
    }
    guard let id, !id.isEmpty else {
      throw DecodingFault(.missingFunction, "A \(kind.rawValue) names no function; publish it again.", at: location())
    }
    var call = Call(kind.table.name(ofID: id) ?? FunctionName(rawValue: id))
    call.name = name
    guard parameters.count <= limits.parametersPerCall else {
      throw .tooMany("parameters of one call", limit: limits.parametersPerCall, at: location())
    }
    call.parameters.reserveCapacity(parameters.count)
    for entry in parameters {
      if let value = push, !entry.key.precedesInBytes("push_after_evaluate") {
        keys.pushAfterEvaluate = try add(value, at: location(), in: &values)
        push = nil
      }
      call.parameters.append(
        key: entry.key, value: try add(entry.value, at: "\(location()).\(entry.key)", in: &values))
    }
    if let push { keys.pushAfterEvaluate = try add(push, at: location(), in: &values) }
    call.structuralKeys = keys
    return call
  }

  private func add<Values: CallValues>(
    _ value: Values.Handle, at location: @autoclosure () -> String, in values: inout Values
  ) throws(DecodingFault) -> ValueIndex {
    do throws(DecodingFault) {
      return try values.add(value)
    } catch var fault {
      fault.location = fault.location ?? location()
      throw fault
    }
  }
}

extension StructuralKeys {
  /// Takes over one structural key; a value of another type than the key's leaves the default.
  fileprivate mutating func set<Values: CallValues>(
    _ key: String, to handle: Values.Handle, in values: Values
  ) throws(DecodingFault) {
    let scalar = values.scalar(handle)
    switch key {
    case "instance_label": label = scalar?.structuralText
    case "not_default_macro": isNotDefault = scalar?.structuralBool ?? false
    case "tag_id": tagID = scalar?.structuralText
    case "priority": priority = scalar?.structuralInt ?? 0
    case "once_per_load": isOncePerLoad = scalar?.structuralBool ?? false
    case "live_only": isLiveOnly = scalar?.structuralBool ?? false
    case "setup_tags": setupTags = try Self.tags(handle, in: values)
    case "teardown_tags": teardownTags = try Self.tags(handle, in: values)
    case "schedule_start_ms": scheduleStart = scalar?.structuralInt
    case "schedule_end_ms": scheduleEnd = scalar?.structuralInt
    case "consent_required":
      consentRequired = values.items(handle)?.compactMap { values.scalar($0)?.structuralText } ?? []
    default: break
    }
  }

  private static func tags<Values: CallValues>(
    _ handle: Values.Handle, in values: Values
  ) throws(DecodingFault) -> [TagReference] {
    var tags: [TagReference] = []
    for item in values.items(handle) ?? [] {
      if let tag = try values.tagReference(item) { tags.append(tag) }
    }
    return tags
  }
}

extension Value {
  /// A scalar as text; nil for what has none.
  var structuralText: String? {
    switch self {
    case .string(let text): text
    case .int, .double, .bool: jsonText
    case .list, .map, .null, .absent: nil
    }
  }

  /// True, or the text of it (TM-503).
  fileprivate var structuralBool: Bool {
    switch self {
    case .bool(let flag): flag
    case .string(let text): text.lowercased() == "true"
    default: false
    }
  }

  /// An integer, or the text of one.
  fileprivate var structuralInt: Int64? {
    switch self {
    case .int(let number): number
    case .string(let text): Int64(text)
    default: nil
    }
  }
}
