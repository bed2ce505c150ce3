import Hits
import TestSupport
import Testing

@testable import Console

@Suite("Passwords") struct PasswordTests {
  @Test("CO-902: a password is kept as Argon2id with 64 MiB, another text each time, and only itself matches")
  func argon2() async throws {
    let passwords = Argon2Passwords()
    let first = try await passwords.hash("correct horse é 👍")
    let second = try await passwords.hash("correct horse é 👍")
    // RFC 9106: the parameters stand in the text; libsodium's limits for people who wait.
    #expect(first.hasPrefix("$argon2id$v=19$m=65536,t=2,p=1$"))
    #expect(first != second)
    #expect(try await passwords.matches("correct horse é 👍", first))
    for other in ["", "correct horse", "correct horse é 👍 ", "CORRECT HORSE É 👍"] {
      #expect(try await !passwords.matches(other, first))
    }
    #expect(try await !passwords.matches("x", nil))
    for damaged in ["", "$argon2id$", String(repeating: "a", count: 500), first + first] {
      #expect(try await !passwords.matches("correct horse é 👍", damaged))
    }
  }

  @Test("CO-902: when too many wait for a password, the next is told to come again")
  func busy() async {
    let passwords = Argon2Passwords(most: 0)
    let error = await #expect(throws: APIError.self) { try await passwords.hash("x") }
    #expect(error?.status == 503)
  }

  @Test(
    "what a password must be",
    arguments: [
      ("", false), ("short", false), ("123456789", false), ("aaaaaaaaaaaa", false), ("correct horse", true),
      (String(repeating: "abcd", count: 256), true), (String(repeating: "abcd", count: 257), false),
    ])
  func rule(password: String, isGood: Bool) { #expect((PasswordRule.problem(with: password) == nil) == isGood) }
}

/// Passwords that cost nothing, for tests of what is around them.
struct PlainPasswords: PasswordHashing {
  func hash(_ password: String) async throws(APIError) -> String { "plain:" + password }

  func matches(_ password: String, _ stored: String?) async throws(APIError) -> Bool { stored == "plain:" + password }
}
