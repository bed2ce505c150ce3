import Hits

/// What is done when the app ships with a newer container than the saved one (TM-215, TM-216).
public enum SavedContainerPolicy: Sendable, Hashable {
  /// The newer one counts.
  case newest
  /// The saved one counts.
  case savedAlways
}

/// What of the default container decides about a saved one (TM-215).
struct DefaultFacts: Sendable, Hashable {
  /// The SHA-256 of its bytes in hexadecimal; nil when there is none.
  var digest: String?
  var version = ""
  var environment = "live"
  var sequence: Int64?

  /// Whether the default is newer than a saved container: the first rule that can tell decides.
  func isNewer(than saved: SavedContainer.Header) -> Bool {
    guard let digest, saved.defaultDigest != digest else { return false }
    if let sequence, let savedSequence = saved.sequence, environment == saved.environment {
      return sequence > savedSequence
    }
    guard let own = Self.number(version), let other = Self.number(saved.version) else { return false }
    return own.count == other.count ? own > other : own.count > other.count
  }

  /// The digits of a decimal integer without leading zeros; nil for any other text.
  private static func number(_ text: String) -> String? {
    guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    return String(text.drop { $0 == "0" })
  }
}

/// Decides what the bytes of a saved file are worth (TM-213, TM-215, TM-216, TM-442): no disk.
struct SavedContainerReading: Sendable {
  let decoder: PayloadDecoder
  let environment: String
  /// Scheme and host of the configured server.
  let server: String?
  let policy: SavedContainerPolicy
  let signatures: SignatureCheck
  let defaults: DefaultFacts

  enum Verdict: Sendable {
    case usable(SavedContent, header: SavedContainer.Header)
    /// Not usable; the file goes if it is damaged. What its header says of the sequence counts all the same.
    case failed(RefreshFailure, Diagnostic?, removes: Bool, header: SavedContainer.Header?)
  }

  func judge(_ bytes: [UInt8]?) -> Verdict {
    guard let bytes else { return absent("Nothing is saved of \(decoder.id).") }
    let saved: SavedContainer
    do throws(SavedContainerFile.Fault) { saved = try SavedContainerFile.decode(bytes) } catch {
      switch error {
      case .formatUnknown:
        let message = "The saved file of \(decoder.id) has a format of another version; it is not used."
        return .failed(
          RefreshFailure(.noSavedContainer, .formatUnknown, message),
          Diagnostic(.warning, .savedFormatUnknown, message), removes: false, header: nil)
      case .corrupt(let what): return corrupt(what)
      }
    }
    let header = saved.header
    guard header.id == decoder.id.text else { return corrupt("it belongs to another container") }
    guard header.environment == environment else { return absent("What is saved is of another environment.") }
    if let refusal = refusal(of: saved) { return refusal }
    if policy == .newest, defaults.isNewer(than: header) {
      let message = "The app ships with a newer version of \(decoder.id) than the saved one, \(header.version)."
      return .failed(
        RefreshFailure(.noSavedContainer, .olderThanDefault, message),
        Diagnostic(.info, .savedOlderThanDefault, message), removes: false, header: header)
    }
    guard case .content(var content, _) = decoder.decode(saved) else { return corrupt("its content does not decode") }
    content.container.fingerprint = content.container.fingerprint ?? header.fingerprint
    let etag = header.origin == server ? header.etag : nil
    return .usable(SavedContent(content: content, fetchedAt: header.fetchedAt, etag: etag), header: header)
  }

  /// Why a file's signature is not enough; only a required one is looked at again.
  private func refusal(of saved: SavedContainer) -> Verdict? {
    guard case .required = signatures.policy else { return nil }
    let header = saved.header
    let signature = header.keyID.flatMap { keyID in
      header.signature.flatMap { ContainerSignature(keyID: keyID, base64: $0) }
    }
    let verdict = signatures.judge(
      signature.map { [$0] },
      message: ContainerSignature.message(
        id: decoder.id, environment: header.environment, sequence: header.sequence, body: saved.payload))
    guard case .refused(let why) = verdict else { return nil }
    let message = "The saved file of \(decoder.id) is not used: \(why)"
    return .failed(
      RefreshFailure(.ioError, .signatureInvalid, message), Diagnostic(.warning, .signatureInvalid, message),
      removes: true, header: nil)
  }

  private func absent(_ message: String) -> Verdict {
    .failed(RefreshFailure(.noSavedContainer, .absent, message), nil, removes: false, header: nil)
  }

  private func corrupt(_ what: String) -> Verdict {
    let message = "The saved file of \(decoder.id) is damaged: \(what). It is removed."
    return .failed(
      RefreshFailure(.ioError, .corrupt, message), Diagnostic(.warning, .savedCorrupt, message), removes: true,
      header: nil)
  }
}
