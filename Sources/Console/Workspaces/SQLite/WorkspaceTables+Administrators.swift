import DurableStore

/// Who can let others in: the set-up works once, so that somebody always must (CO-100).
extension WorkspaceTables {
  /// Whether nobody could let others in any more, if a person, or a token, did no more; false when nobody can now.
  func isLastAdministrator(user: String = "", token: String = "", at time: Int64) throws(StoreError) -> Bool {
    guard try hasAdministrator(without: "", "", at: time) else { return false }
    return try !hasAdministrator(without: user, token, at: time)
  }

  /// An administrator is a person with a password or a token, or a token that is nobody's.
  private func hasAdministrator(
    without user: String, _ token: String, at time: Int64
  ) throws(StoreError) -> Bool {
    try row(
      """
      WITH
        key AS (SELECT user FROM token WHERE id <> ?2 AND scope = 'admin' AND container IS NULL AND revoked IS NULL
          AND (expires IS NULL OR expires > ?3)),
        administrator AS (SELECT id, password FROM user WHERE id <> ?1 AND disabled IS NULL
          AND EXISTS(SELECT 1 FROM role WHERE role.user = user.id AND role.container = '' AND role.scope = 'admin'))
      SELECT EXISTS(SELECT 1 FROM administrator WHERE password IS NOT NULL OR id IN (SELECT user FROM key))
        OR EXISTS(SELECT 1 FROM key WHERE user IS NULL)
      """, [.text(user), .text(token), .integer(time)]
    ) { $0.integer(at: 0) == 1 } ?? false
  }
}
