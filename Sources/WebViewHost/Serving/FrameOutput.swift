#if !canImport(Darwin)
  import Foundation
  import Hits
  import WebTags

  /// Writes whole frames to a descriptor, one after another, from any thread.
  final class FrameOutput: Sendable {
    private let descriptor: Int32
    private let isBroken = Locked(false)

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Writes a message; blocks while the other side does not read.
    func send(_ answer: HelperAnswer) {
      do throws(FrameError) { write(try answer.frame()) } catch { write(Self.replacement(for: answer, error)) }
    }

    private func write(_ bytes: [UInt8]) {
      isBroken.withLock { isBroken in
        var rest = bytes[...]
        while !rest.isEmpty, !isBroken {
          let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
          if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { isBroken = true }
        }
      }
    }

    /// What goes out in place of an answer that is too long; nothing for an event.
    private static func replacement(for answer: HelperAnswer, _ error: FrameError) -> [UInt8] {
      guard case .done(let id, _) = answer else { return [] }
      let failure = PageHostError(.script, "the result is too long: \(error.message)")
      return (try? HelperAnswer.done(id: id, outcome: .failure(failure)).frame()) ?? []
    }
  }
#endif
