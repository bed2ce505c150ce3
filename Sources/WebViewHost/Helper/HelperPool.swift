#if !canImport(Darwin)
  import Hits
  import WebTags

  /// The one helper of a factory: started with the first page, shared by all, replaced when it has ended.
  final class HelperPool: Sendable {
    private let program: String?
    private let settings: EngineSettings
    private let current = Locked<HelperConnection?>(nil)

    init(program: String?, settings: EngineSettings) {
      self.program = program
      self.settings = settings
    }

    /// Puts a page into the helper that runs, or into a new one.
    func connection(
      for page: HelperConnection.Page
    ) throws(PageHostError) -> (connection: HelperConnection, page: UInt64) {
      try current.withLock { current throws(PageHostError) in
        if let connection = current, let number = connection.add(page) { return (connection, number) }
        let connection = try HelperConnection(program: HelperProgram.find(program), settings: settings)
        guard let number = connection.add(page) else { throw .processTerminated(.helper) }
        current = connection
        return (connection, number)
      }
    }
  }
#endif
