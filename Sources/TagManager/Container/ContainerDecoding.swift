package import Hits

/// One decoding: recognises the form (TM-110, TM-111) and hands the bytes to its decoder.
struct ContainerDecoding {
  let bytes: [UInt8]
  let limits: DecodeLimits
  var diagnostics = DiagnosticList()
  /// The form, as soon as it is known.
  private(set) var form: ContainerForm?

  init(bytes: [UInt8], limits: DecodeLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  typealias Decoded = (container: CompiledContainer, rollout: Rollout?)

  mutating func decode() throws(DecodingFault) -> Decoded {
    guard let first = bytes.first else {
      throw DecodingFault(.emptyFile, "The input is empty; give a published container.")
    }
    if bytes.starts(with: [0x1F, 0x8B]) {
      throw DecodingFault(.compressedFile, "The input is compressed with gzip; unpack it first.")
    }
    if bytes.starts(with: "PK\u{3}\u{4}".utf8) {
      throw DecodingFault(.zipArchive, "The input is a zip archive; unpack it first.")
    }
    if bytes.starts(with: "bplist00".utf8) {
      form = .propertyList
      var reader = BinaryPropertyListReader(bytes, limits: limits)
      return (try reader.read(diagnostics: &diagnostics), nil)
    }
    var binaryFault: DecodingFault?
    if first == 0x0A || !Self.beginsText(first) {
      do throws(DecodingFault) {
        let container = try binary()
        form = .binary
        return (container, nil)
      } catch {
        binaryFault = error
      }
    }
    return try decodeText(binaryFault: binaryFault)
  }

  /// Goes on with what is no binary container; diagnostics of that attempt do not count.
  private mutating func decodeText(binaryFault: DecodingFault?) throws(DecodingFault) -> Decoded {
    diagnostics = DiagnosticList()
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.starts(with: mark) ? bytes[3...] : bytes[...]
    let text = content.drop { $0 == 0x20 || 0x09...0x0D ~= $0 }
    if ["<?xml", "<!DOCTYPE plist", "<plist"].contains(where: { text.starts(with: $0.utf8) }) {
      form = .propertyList
      var reader = XMLPropertyListReader(bytes, from: text.startIndex, limits: limits)
      return (try reader.read(diagnostics: &diagnostics), nil)
    }
    switch text.first {
    case UInt8(ascii: "<"):
      throw DecodingFault(
        .htmlDocument, "The input is a web page, not a container; a captive portal or an error page may have answered.")
    case UInt8(ascii: "{"): return try decodeJSON(from: text.startIndex)
    case UInt8(ascii: "["): throw Self.unrecognised
    default: break
    }
    if bytes.starts(with: "version https://git-lfs".utf8) {
      throw DecodingFault(.gitLFSPointer, "The input is a Git LFS pointer; run `git lfs pull` to get the file.")
    }
    guard let binaryFault, let first = bytes.first, WireType(rawValue: first & 7) != nil else {
      throw Self.unrecognised
    }
    form = binaryFault.code == .unrecognisedFormat ? nil : .binary
    throw binaryFault
  }

  private mutating func binary() throws(DecodingFault) -> CompiledContainer {
    try BinaryContainerDecoder(limits: limits).decode(bytes, bytes.indices, diagnostics: &diagnostics)
  }

  private mutating func decodeJSON(from start: Int) throws(DecodingFault) -> Decoded {
    let root: JSONElement
    do throws(JSONError) {
      root = try JSONDocument(bytes, from: start, limits: limits.json).root
    } catch {
      throw DecodingFault(error)
    }
    if root["exportFormatVersion"] != nil || root["containerVersion"] != nil {
      form = .workspaceExport
      throw DecodingFault(
        .workspaceExport, "This is a workspace export, not a compiled container. Publish or compile it first.")
    }
    let resource = root["resource"]
    if resource == nil, let description = root["container"], description.kind == .object,
      ["containerId", "publicId", "usageContext"].contains(where: { description[$0] != nil })
    {
      throw DecodingFault(
        .containerDescription, "This describes a container, as the API does; it is not compiled. Publish it first.")
    }
    if let resource, resource.kind == .object {
      form = .compiledJSON
      guard ["macros", "tags", "predicates", "rules"].contains(where: { resource[$0] != nil }) else {
        throw DecodingFault(
          .incompleteResource, "The resource has no macros, tags, predicates or rules; publish the container again.")
      }
      return try JSONContainerDecoder(limits: limits).decode(root, diagnostics: &diagnostics)
    }
    if root["parameters"] != nil, root["conditions"] != nil {
      throw DecodingFault(
        .remoteConfigTemplate, "This is a remote configuration template, not a container; export a container instead.")
    }
    form = .flatJSON
    return (try FlatJSONDecoder(limits: limits).decode(root, diagnostics: &diagnostics), nil)
  }

  /// Whether a byte can begin a text, so that binary is not tried; a line feed can begin both.
  private static func beginsText(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09...0x0D, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "<"), 0xEF: true
    default: false
    }
  }

  private static let unrecognised = DecodingFault(
    .unrecognisedFormat,
    "The input is no form of a container: expected is a binary container, a JSON object or a property list.")
}

extension DecodingFault {
  /// What an error of the JSON reader means for a container (TM-112).
  fileprivate init(_ error: JSONError) {
    self.init(Diagnostic.Code(error.code), error.message, at: "byte \(error.offset)")
  }
}

extension Diagnostic.Code {
  /// What an error of the JSON reader is called in a diagnostic (TM-112).
  package init(_ code: JSONError.Code) {
    self =
      switch code {
      case .tooLarge, .textTooLarge: .tooLarge
      case .tooDeep: .tooDeep
      case .tooMany: .tooMany
      case .invalidUTF8: .invalidUTF8
      default: .malformedJSON
      }
  }
}
