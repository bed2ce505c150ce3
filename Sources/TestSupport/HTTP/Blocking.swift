import Foundation

/// Runs work that blocks, such as socket calls, on a thread of its own.
///
/// The threads of Swift tasks are as few as the cores: one that waits for a peer served by another task may wait for
/// ever.
package func blocking<Result: Sendable>(
  _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: work)) }
  }
}
