public import Foundation
import Hits

/// Decodes a container of any form; the content decides which, never a name (TM-110).
///
/// Any bytes give a container or a diagnostic of severity `error`, in time and memory that the size of the input
/// bounds (TM-160).
public enum ContainerDecoder: Sendable {
  /// Decodes a container.
  ///
  /// - Parameters:
  ///   - data: a binary container, compiled JSON, flat JSON or a property list.
  ///   - id: the id that is asked for; a file that names another one is refused.
  ///   - limits: how much to accept.
  public static func decode(_ data: Data, id: ContainerID?, limits: DecodeLimits = .standard) -> DecodeResult {
    guard data.count <= limits.bytes else { return failure(Self.tooLarge(limits), form: nil) }
    return decode(Array(data), id: id, limits: limits)
  }

  /// Decodes a container for a platform; nil, as on Linux and macOS, takes a container for any (TM-154).
  package static func decode(
    _ bytes: [UInt8], id: ContainerID?, limits: DecodeLimits = .standard, platform: String? = runningPlatform
  ) -> DecodeResult {
    var decoding = ContainerDecoding(bytes: bytes, limits: limits)
    do throws(DecodingFault) {
      guard bytes.count <= limits.bytes else { throw tooLarge(limits) }
      let (container, rollout) = try decoding.decode()
      try ContainerReview(id: id, platform: platform).review(container, diagnostics: &decoding.diagnostics)
      return DecodeResult(
        container: container, rollout: rollout, diagnostics: decoding.diagnostics.all, form: decoding.form)
    } catch {
      return failure(error, after: decoding.diagnostics.all, form: decoding.form)
    }
  }

  /// The name that usage contexts give the system the program runs on; nil where any context will do.
  package static var runningPlatform: String? {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      "ios"
    #else
      nil
    #endif
  }

  static func failure(
    _ fault: DecodingFault, after diagnostics: [Diagnostic] = [], form: ContainerForm?
  ) -> DecodeResult {
    DecodeResult(container: nil, rollout: nil, diagnostics: diagnostics + [fault.diagnostic], form: form)
  }

  private static func tooLarge(_ limits: DecodeLimits) -> DecodingFault {
    DecodingFault(.tooLarge, "The container is larger than \(limits.bytes) bytes; split it.")
  }
}
