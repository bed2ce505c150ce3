/// Changes a collector's store, beside the running server: for `tagworks hits purge --intake DIR` (CO-703).
public final class IntakeEditor: Sendable {
  private let store: IntakeStore

  /// Opens the store of a data directory.
  ///
  /// - Throws: `storeUnavailable` when there is none, or it cannot be used.
  public init(directory: String) throws(ConsoleError) {
    // A store is only looked for here, never made.
    _ = try IntakeReader(directory: directory)
    do throws(StorageError) {
      store = try IntakeStore(directory: directory)
    } catch {
      throw ConsoleError(code: .storeUnavailable, message: error.message, cause: error)
    }
  }

  /// Removes what is stored of a client id, and refused hits that name it, from one property or from all.
  ///
  /// The ids of the hits are known still: a client that sends them again stores nothing. What the hits said is
  /// overwritten in the file.
  ///
  /// - Returns: how many hits were removed.
  public func purge(client: String, property: String? = nil) async throws(ConsoleError) -> Int {
    do throws(StorageError) {
      return try await store.purge(client: client, property: property)
    } catch {
      throw ConsoleError(code: .storeUnavailable, message: error.message, cause: error)
    }
  }
}
