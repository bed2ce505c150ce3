import Hits
public import TagManager

/// The forms in which a container is given to apps (CO-300, CO-405).
public enum ContainerOutput: String, Sendable, Hashable, CaseIterable {
  /// Compiled JSON.
  case json
  /// The older SDK's binary form.
  case binary
  /// Names and constants as a property list.
  case plist
  /// Names and constants as JSON.
  case values

  /// What a file must be called to be the default container of an id (TM-200).
  public func fileName(of id: ContainerID) -> String {
    switch self {
    case .binary: id.text
    case .json, .values: id.text + ".json"
    case .plist: id.text + ".plist"
    }
  }

  /// The container in this form, the same bytes for equal containers (CO-301).
  ///
  /// - Parameter rollout: the share of installs that get it, and what the others keep (CO-404). Only compiled JSON can
  ///   say both; the other forms hold what the others keep until the share is 100 (TM-138).
  /// - Throws: when the form cannot say what the container holds, or would be larger than a decoder accepts.
  public func bytes(
    of container: CompiledContainer, rollout: Rollout? = nil
  ) throws(ContainerEncodingError) -> [UInt8] {
    let whole = rollout.map { $0.percent < 100 ? $0.previous : container } ?? container
    switch self {
    case .json: return try JSONContainerEncoder().encode(container, rollout: rollout)
    case .binary: return try BinaryContainerEncoder().encode(whole)
    case .plist:
      return try Self.checked(PropertyListWriter.bytes(ContainerValues(whole).values), form: .propertyList)
    case .values: return try Self.checked(Value.map(ContainerValues(whole).values).jsonBytes, form: .flatJSON)
    }
  }

  /// Names such as `resource` would make another form of the file; what is written must be read as what it is.
  private static func checked(
    _ bytes: [UInt8], form: ContainerForm
  ) throws(ContainerEncodingError) -> [UInt8] {
    let result = ContainerDecoder.decode(bytes, id: nil)
    guard result.container != nil, result.form == form else {
      throw ContainerEncodingError(
        .notExpressible, "The values have names or a size by which the file would not be read as values.")
    }
    return bytes
  }
}
