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

  init(_ arguments: Arguments) throws {
    do {
      switch (arguments.value("--store"), arguments.value("--intake")) {
      case (let directory?, nil): self = .store(try HitStoreReader(directory: directory))
      case (nil, let directory?): self = .intake(try IntakeReader(directory: directory))
      default: throw UsageError("give either --store DIR or --intake DIR")
      }
    } catch let error as HitQueueError {
      throw CommandFailure(error.message, status: .unavailable)
    } catch let error as ConsoleError {
      throw CommandFailure(error.message, status: .unavailable)
    }
  }
}
