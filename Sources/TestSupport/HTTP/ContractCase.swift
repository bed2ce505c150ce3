/// One promise of a port, to be kept by its fake and by every adapter.
package struct ContractCase<Port>: Sendable, CustomStringConvertible {
  /// The promise, as a sentence.
  package let description: String
  private let check: @Sendable (Port) async throws -> Void

  package init(_ description: String, _ check: @escaping @Sendable (Port) async throws -> Void) {
    self.description = description
    self.check = check
  }

  /// Throws where the port does not keep it.
  package func run(on port: Port) async throws { try await check(port) }
}

/// A promise that was not kept.
package struct ContractFailure: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}

/// Throws when the values differ.
func require<Value: Equatable>(_ value: Value, is expected: Value, _ what: String) throws {
  guard value == expected else { throw ContractFailure(description: "\(what): \(value) instead of \(expected)") }
}
