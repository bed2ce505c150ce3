/// Makes and checks what is stored of passwords.
protocol PasswordHashing: Sendable {
  /// What is stored of a password.
  ///
  /// - Throws: `busy` when too many wait.
  func hash(_ password: String) async throws(APIError) -> String

  /// Whether a password is the one that something was stored of.
  ///
  /// It takes as long when nothing was stored, so that nobody learns by the clock who has an account.
  func matches(_ password: String, _ stored: String?) async throws(APIError) -> Bool
}

/// What a password must be.
enum PasswordRule {
  static let bytes = 10...1024

  /// What is wrong with a password; nil when nothing is.
  static func problem(with password: String) -> String? {
    if password.utf8.count < bytes.lowerBound { return "use at least \(bytes.lowerBound) characters" }
    if password.utf8.count > bytes.upperBound { return "use at most \(bytes.upperBound) characters" }
    return Set(password).count < 4 ? "use more than a few different characters" : nil
  }
}
