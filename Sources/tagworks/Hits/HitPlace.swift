import Console
import HitQueue

/// Where hits are looked at: an app's store, or a collector's.
enum HitPlace {
  case store(HitStoreReader)
  case intake(IntakeReader)

  static let options = [
    CommandDescription.Option(name: "--store", value: "DIR", help: "the directory of an app's hit store"),
    CommandDescription.Option(name: "--intake", value: "DIR", help: "the data directory of a collector"),
  ]

  /// A place that is not looked at yet, by its directory.
  enum Name {
    case store(String)
    case intake(String)

    /// The place that the arguments name.
    init(_ arguments: Arguments) throws(UsageError) {
      switch (arguments.value("--store"), arguments.value("--intake")) {
      case (let directory?, nil): self = .store(directory)
      case (nil, let directory?): self = .intake(directory)
      default: throw UsageError("give either --store DIR or --intake DIR")
      }
    }
  }

  init(_ arguments: Arguments) throws {
    let name = try Name(arguments)
    self = try Self.reading {
      switch name {
      case .store(let directory): .store(try HitStoreReader(directory: directory))
      case .intake(let directory): .intake(try IntakeReader(directory: directory))
      }
    }
  }

  /// Runs a look into a store; what it cannot read is a failure of the store.
  static func reading<Result>(_ work: () throws -> Result) throws -> Result {
    do { return try work() } catch { throw failure(error) }
  }

  /// Changes the store of `--store`, which must be there, and prints the number of changed hits.
  static func edit(
    _ arguments: Arguments, _ work: (HitStoreEditor) async throws(HitQueueError) -> Int, report: (Int) -> String
  ) async throws -> ExitStatus {
    let directory = arguments.value("--store") ?? ""
    do throws(HitQueueError) {
      try HitStoreReader.find(in: directory)  // a store is only looked for here, never made
      let editor = try HitStoreEditor(directory: directory)
      let count = try await work(editor)
      try await editor.close()
      Output.line(report(count))
      return count > 0 ? .success : .inputHasErrors
    } catch {
      throw failure(error)
    }
  }

  /// What a command says of a place that cannot be read or written.
  static func failure(_ error: any Error) -> any Error {
    switch error {
    case let error as HitQueueError: CommandFailure(error.message, status: .unavailable)
    case let error as ConsoleError: CommandFailure(error.message, status: .unavailable)
    default: error
    }
  }
}
