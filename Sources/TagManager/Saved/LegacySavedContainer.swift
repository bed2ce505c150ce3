import Hits

/// A file that the original SDK has saved, as a saved container of ours (TM-214).
///
///     name    = "resource_" container's id
///     content = ResourceWithMetadata: 1 timeStamp · 2 resource · 3 supplementedResource (TM-125)
enum LegacySavedContainer {
  static func fileName(of id: ContainerID) -> String { "resource_\(id)" }

  /// Reads a file; what it holds is the live container, as old as the file says.
  ///
  /// - Throws: the fault of a file that holds no container which could be in force.
  static func read(_ bytes: [UInt8], _ decoder: PayloadDecoder) throws(DecodingFault) -> SavedContainer {
    let parts = try LegacySavedParts(bytes)
    let (range, form) = try parts.container
    var saved = SavedContainer(
      header: .init(id: decoder.id.text, form: form, fetchedAt: parts.time), payload: Array(bytes[range]))
    switch decoder.decode(saved) {
    case .content(let content, _):
      saved.header.version = content.container.version
      saved.header.fingerprint = content.container.fingerprint
      return saved
    case .unchanged: throw LegacySavedParts.empty
    case .refused(let diagnostic): throw DecodingFault(diagnostic.code, diagnostic.message)
    }
  }
}

/// Where the parts of such a file are.
struct LegacySavedParts {
  /// When it was saved, in milliseconds since 1970 UTC.
  private(set) var time: Int64 = 0
  private var resource: Range<Int>?
  private var supplemented: Range<Int>?

  init(_ bytes: [UInt8]) throws(DecodingFault) {
    var reader = WireReader(bytes)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: time = try reader.readInt64(field)
      case 2: resource = try reader.readMessage(field)
      case 3: supplemented = try reader.readMessage(field)
      default: try reader.skip(field)
      }
    }
  }

  /// The part that counts: the supplemented resource when there is one.
  var container: (range: Range<Int>, form: SavedContainer.Form) {
    get throws(DecodingFault) {
      if let supplemented { return (supplemented, .supplemented) }
      if let resource { return (resource, .binary) }
      throw Self.empty
    }
  }

  static let empty = DecodingFault(
    .incompleteResource, "The saved file holds no resource; open the container again.")
}
