import Hits

/// Decodes a container's body, as a server sent it or as it was saved (TM-422).
struct PayloadDecoder: Sendable {
  let id: ContainerID
  /// Decides which version of a rollout this install gets (TM-138).
  let installID: String
  let limits: DecodeLimits

  /// What a body turned out to be.
  enum Payload: Sendable {
    case content(LoadedContent, SavedContainer.Form)
    /// A wrapper without a resource: nothing has changed.
    case unchanged([Supplemental])
    case refused(Diagnostic)
  }

  /// Decodes an answer's body; its content decides what it is, and the content type only where content leaves it open.
  func decode(_ body: [UInt8], contentType: String?, origin: ContainerOrigin) -> Payload {
    switch contentType?.split(separator: ";").first.map({ $0.lowercased() }) {
    case "text/html":
      return .refused(
        Diagnostic(
          .error, .htmlDocument,
          "The server sent a web page, not a container; a captive portal or an error page may have answered."))
    case "application/x-protobuf": return binary(body, origin: origin)
    default: break
    }
    guard Self.isText(body) else { return binary(body, origin: origin) }
    let bare = bare(body, origin: origin)
    // A line feed can begin a text and a message.
    guard case .refused = bare, body.first == 0x0A else { return bare }
    return binary(body, origin: origin)
  }

  /// Decodes a saved body.
  func decode(_ saved: SavedContainer) -> Payload {
    switch saved.header.form {
    case .supplemented: binary(saved.payload, origin: .saved)
    case .binary, .json: bare(saved.payload, origin: .saved)
    }
  }

  /// A message is a wrapper first and a bare resource second.
  private func binary(_ body: [UInt8], origin: ContainerOrigin) -> Payload {
    let wrapper = ContainerDecoder.decodeSupplemented(body, id: id, limits: limits)
    guard let resource = wrapper.resource else { return .unchanged(wrapper.supplementals) }
    if resource.container != nil { return payload(resource, .supplemented, origin) }
    return bare(body, origin: origin)
  }

  private func bare(_ body: [UInt8], origin: ContainerOrigin) -> Payload {
    let result = ContainerDecoder.decode(body, id: id, limits: limits, platform: ContainerDecoder.runningPlatform)
    return payload(result, result.form == .binary ? .binary : .json, origin)
  }

  private func payload(_ result: DecodeResult, _ form: SavedContainer.Form, _ origin: ContainerOrigin) -> Payload {
    guard let container = result.container else {
      return .refused(
        result.error ?? Diagnostic(.error, .unrecognisedFormat, "The input is no form of a container."))
    }
    var diagnostics = result.diagnostics
    if result.form == .flatJSON {
      diagnostics.append(
        Diagnostic(
          .info, .nameOnlyContainer, "The server sent names and values alone: there are no rules, and no tag fires."))
    }
    let chosen = result.rollout?.choose(container, id: id, installID: installID) ?? container
    return .content(LoadedContent(chosen, origin: origin, diagnostics: diagnostics), form)
  }

  /// Whether a body begins as a text, white space and byte order mark apart.
  private static func isText(_ body: [UInt8]) -> Bool {
    let text = (body.starts(with: [0xEF, 0xBB, 0xBF]) ? body[3...] : body[...]).drop { $0 == 0x20 || 0x09...0x0D ~= $0 }
    guard let first = text.first else { return true }
    let marks = [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "<")]
    // Compressed files, archives and binary lists get their own names.
    return marks.contains(first)
      || [[0x1F, 0x8B], Array("PK".utf8), Array("bplist".utf8)].contains { text.starts(with: $0) }
  }
}
