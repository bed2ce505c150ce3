import Hits

/// What a server of the binary form sends: a resource and what to push once it is in force (TM-124).
///
///     SupplementedResource: 1 supplemental · 2 resource · 3 fingerprint
///     ResourceWithMetadata: 1 timeStamp · 2 resource · 3 supplementedResource (TM-125)
package struct SupplementedResource: Sendable {
  /// The resource decoded; nil when the message has none, which means that nothing changed.
  package var resource: DecodeResult?
  /// What to clear, push and draw; the container in `resource` has them too.
  package var supplementals: [Supplemental] = []
  /// The publisher's opaque digest of the content.
  package var fingerprint: String?
  /// When it was saved, in milliseconds since 1970 UTC; only in a file that the legacy SDK saved.
  package var savedAt: Int64?
}

extension SupplementedResource {
  /// What a server sends: a container and its fingerprint.
  package static func bytes(
    of container: CompiledContainer, fingerprint: String
  ) throws(ContainerEncodingError) -> [UInt8] {
    var message = WireWriter()
    message.write(2, try BinaryContainerEncoder().encode(container))
    message.write(3, fingerprint)
    return message.bytes
  }

  /// What a server sends when nothing has changed.
  package static func unchanged(fingerprint: String) -> [UInt8] {
    var message = WireWriter()
    message.write(3, fingerprint)
    return message.bytes
  }
}

extension ContainerDecoder {
  /// Decodes a `SupplementedResource`, as a server sends it.
  ///
  /// Bytes that are no such message give a `resource` with the error.
  package static func decodeSupplemented(
    _ bytes: [UInt8], id: ContainerID?, limits: DecodeLimits = .standard, platform: String? = runningPlatform
  ) -> SupplementedResource {
    decode(bytes, limits) { decoder throws(DecodingFault) in
      try decoder.supplemented(bytes.indices, id: id, platform: platform)
    }
  }

  /// Decodes a file that the legacy SDK saved (TM-125, TM-214); its supplemented resource counts when there is one.
  package static func decodeLegacySaved(
    _ bytes: [UInt8], id: ContainerID?, limits: DecodeLimits = .standard, platform: String? = runningPlatform
  ) -> SupplementedResource {
    decode(bytes, limits) { decoder throws(DecodingFault) in
      try decoder.saved(id: id, platform: platform)
    }
  }

  private static func decode(
    _ bytes: [UInt8], _ limits: DecodeLimits,
    _ body: (SupplementedDecoder) throws(DecodingFault) -> SupplementedResource
  ) -> SupplementedResource {
    do throws(DecodingFault) {
      guard !bytes.isEmpty else { throw DecodingFault(.emptyFile, "The input is empty; give a published container.") }
      guard bytes.count <= limits.bytes else {
        throw DecodingFault(.tooLarge, "The container is larger than \(limits.bytes) bytes; split it.")
      }
      return try body(SupplementedDecoder(bytes: bytes, limits: limits))
    } catch {
      return SupplementedResource(resource: failure(error, form: .binary))
    }
  }
}

/// Decodes the messages around a resource.
private struct SupplementedDecoder {
  let bytes: [UInt8]
  let limits: DecodeLimits

  func saved(id: ContainerID?, platform: String?) throws(DecodingFault) -> SupplementedResource {
    let parts = try LegacySavedParts(bytes)
    let (range, form) = try parts.container
    var result = SupplementedResource()
    if form == .supplemented {
      result = try supplemented(range, id: id, platform: platform)
    } else {
      var diagnostics = DiagnosticList()
      result.resource = try decode(range, id, platform, &result, &diagnostics)
    }
    result.savedAt = parts.time
    return result
  }

  func supplemented(
    _ range: Range<Int>, id: ContainerID?, platform: String?
  ) throws(DecodingFault) -> SupplementedResource {
    var result = SupplementedResource()
    var resource: Range<Int>?
    var diagnostics = DiagnosticList()
    let supplementals = SupplementalReader(bytes: bytes, limits: limits)
    var reader = WireReader(bytes, range)
    while let field = try reader.nextField() {
      switch field.number {
      case 1:
        let supplemental = try supplementals.read(try reader.readMessage(field))
        if supplemental.name.hasPrefix("gaExperiment:") {
          guard result.supplementals.count < limits.keys else { throw .tooMany("supplementals", limit: limits.keys) }
          result.supplementals.append(supplemental)
        } else {
          diagnostics.add(
            Diagnostic(
              .info, .supplementalIgnored, "A supplemental is of an unknown kind and has no effect.",
              at: String(decoding: supplemental.name.utf8.prefix(128), as: UTF8.self)))
        }
      case 2: resource = try reader.readMessage(field)
      case 3: result.fingerprint = try reader.readText(field, limit: limits.textBytes)
      default: try reader.skip(field)
      }
    }
    if let resource { result.resource = try decode(resource, id, platform, &result, &diagnostics) }
    return result
  }

  private func decode(
    _ range: Range<Int>, _ id: ContainerID?, _ platform: String?, _ result: inout SupplementedResource,
    _ diagnostics: inout DiagnosticList
  ) throws(DecodingFault) -> DecodeResult {
    var container = try BinaryContainerDecoder(limits: limits).decode(bytes, range, diagnostics: &diagnostics)
    try ContainerReview(id: id, platform: platform).review(container, diagnostics: &diagnostics)
    container.fingerprint = result.fingerprint
    container.supplementals = result.supplementals
    return DecodeResult(container: container, rollout: nil, diagnostics: diagnostics.all, form: .binary)
  }
}
