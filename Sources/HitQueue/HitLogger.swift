import Foundation
import Hits

/// How much a log tells (HQ-903); the raw values are the original SDK's.
public enum HitLogLevel: Int, Sendable, Hashable, Comparable {
  case none = 0
  /// Data is lost, or about to be.
  case error = 1
  /// Something the app's author should know; once per cause.
  case warning = 2
  /// One line a request.
  case info = 3
  /// Everything.
  case verbose = 4

  /// Orders levels by how much they tell.
  public static func < (left: HitLogLevel, right: HitLogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// Where a queue's messages go.
public protocol HitLogger: Sendable {
  /// The most that is wanted.
  var level: HitLogLevel { get }
  /// Takes one message; the text is only made when the level is wanted.
  func log(_ level: HitLogLevel, _ message: @autoclosure () -> String)
}

/// A logger to the standard error stream.
public struct StandardHitLogger: HitLogger {
  /// The most that is written.
  public let level: HitLogLevel

  /// Makes a logger; without an argument, of warnings and errors.
  public init(level: HitLogLevel = .warning) { self.level = level }

  /// Writes one line.
  public func log(_ level: HitLogLevel, _ message: @autoclosure () -> String) {
    guard level != .none, level <= self.level else { return }
    FileHandle.standardError.write(Data("Tagworks hits \(level): \(message())\n".utf8))
  }
}

/// Warnings that are worth giving once: at most 1,000 different ones.
final class OnceWarnings: Sendable {
  private let given = Locked<Set<String>>([])
  private let logger: any HitLogger

  init(_ logger: any HitLogger) { self.logger = logger }

  /// Logs a warning unless the same text was logged before.
  func warn(_ text: String) {
    let isNew = given.withLock { $0.count < 1_000 && $0.insert(text).inserted }
    if isNew { logger.log(.warning, text) }
  }

  /// Logs a failure, each time: what could not be done is no remark.
  func fail(_ text: String) { logger.log(.error, text) }
}
