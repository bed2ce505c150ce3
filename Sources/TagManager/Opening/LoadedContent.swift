/// Decoded content on its way into force, and what loading it found out.
package struct LoadedContent: Sendable, Hashable {
  package var container: CompiledContainer
  package var origin: ContainerOrigin
  package var diagnostics: [Diagnostic]
  /// The SHA-256 of a default container's bytes, in hexadecimal (TM-211).
  package var digest: String?

  package init(
    _ container: CompiledContainer = .empty, origin: ContainerOrigin = .empty, diagnostics: [Diagnostic] = [],
    digest: String? = nil
  ) {
    self.container = container
    self.origin = origin
    self.diagnostics = diagnostics
    self.digest = digest
  }
}
