/// Reads ad documents of every version, well-formed or not, into values (VA-300).
public enum VASTReader {
  /// Reads one document; it never traps and never exceeds the limits (VA-331).
  ///
  /// The bytes may be in any encoding of VA-211; `charset` is that of the answer's Content-Type.
  public static func read(_ bytes: [UInt8], charset: String? = nil, limits: VASTLimits = .standard) -> VASTReadResult {
    let characters = CharacterDecoding(bytes, charset: charset)
    var reader = XMLReader(characters.text, limits: limits)
    if let name = characters.unknownName {
      reader.report("xml.encoding", .warning, "The encoding \(name.prefix(40)) is not known.", at: 0)
    }
    return read(reader)
  }

  /// Reads a text, whatever encoding it says it once had.
  static func read(text: String, limits: VASTLimits = .standard, allowsPlaylist: Bool = true) -> VASTReadResult {
    read(XMLReader(Array(text.utf8), limits: limits), allowsPlaylist: allowsPlaylist)
  }

  /// The bytes of a document as a text, by the rules of VA-211.
  package static func text(of bytes: [UInt8]) -> String {
    String(decoding: CharacterDecoding(bytes).text, as: UTF8.self)
  }

  private static func read(_ reader: XMLReader, allowsPlaylist: Bool = true) -> VASTReadResult {
    var decoder = DocumentDecoder(reader: reader, allowsPlaylist: allowsPlaylist)
    let content = decoder.document()
    return VASTReadResult(content: content, diagnostics: decoder.reader.log.diagnostics)
  }
}

/// What became of a document.
public struct VASTReadResult: Sendable, Hashable {
  /// The values of a document.
  public enum Content: Sendable, Hashable {
    /// Ads.
    case vast(VAST.Document)
    /// A playlist.
    case vmap(VMAP.Document)
    /// Ads that cannot be used, or a document that is neither.
    case failure(VAST.Failure)
    /// A playlist that cannot be used.
    case playlistFailure(VMAP.Failure)
  }

  /// The values.
  public var content: Content
  /// What was mended, left out or lost.
  public var diagnostics: [AdDiagnostic]
}
