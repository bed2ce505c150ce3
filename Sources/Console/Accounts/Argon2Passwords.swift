import CSodium
import Dispatch
import Hits

/// Argon2id by libsodium, with its limits for people who wait (CO-902): about 64 MiB and some tens of milliseconds each.
///
/// One at a time, on a thread of its own: that much work would stop the few threads that all tasks share. Beyond a number
/// that waits it says busy, so that nobody can make the server work on nothing else for long.
final class Argon2Passwords: PasswordHashing {
  private let queue = DispatchQueue(label: "Passwords")
  private let waiting = Locked(0)
  private let most: Int
  /// The hash of a password that nobody has, for accounts that are not there.
  private let decoy = Locked<String?>(nil)

  init(most: Int = 32) { self.most = most }

  func hash(_ password: String) async throws(APIError) -> String {
    let made = try await perform { Self.make(password) }
    guard let made else { throw APIError(503, .busy, "there is no memory for a password's hash; try again") }
    return made
  }

  func matches(_ password: String, _ stored: String?) async throws(APIError) -> Bool {
    let decoy = decoy
    return try await perform {
      if let stored { return Self.isMade(stored, of: password) }
      let other = decoy.withLock { decoy in
        if decoy == nil { decoy = Self.make("nobody's") }
        return decoy ?? ""
      }
      _ = Self.isMade(other, of: password)
      return false
    }
  }

  private func perform<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result
  ) async throws(APIError) -> Result {
    let mayWait = waiting.withLock { waiting in
      guard waiting < most else { return false }
      waiting += 1
      return true
    }
    guard mayWait else { throw APIError(503, .busy, "many sign in at once; try again in a moment") }
    return await withCheckedContinuation { continuation in
      queue.async {
        let result = work()
        self.waiting.withLock { $0 -= 1 }
        continuation.resume(returning: result)
      }
    }
  }

  /// libsodium's own text: algorithm, cost, salt and hash; nil without memory.
  private static func make(_ password: String) -> String? {
    guard sodium_init() >= 0 else { return nil }
    var text = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
    let bytes = password.utf8.map(CChar.init(bitPattern:))
    let result = crypto_pwhash_str(
      &text, bytes, UInt64(bytes.count), UInt64(crypto_pwhash_opslimit_interactive()),
      crypto_pwhash_memlimit_interactive())
    guard result == 0 else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func isMade(_ text: String, of password: String) -> Bool {
    // It reads a fixed length up to the end of the text.
    guard sodium_init() >= 0, text.utf8.count < crypto_pwhash_strbytes() else { return false }
    var stored = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
    for (index, byte) in text.utf8.enumerated() { stored[index] = CChar(bitPattern: byte) }
    let bytes = password.utf8.map(CChar.init(bitPattern:))
    return crypto_pwhash_str_verify(stored, bytes, UInt64(bytes.count)) == 0
  }
}
