/// Decoded content on its way into force, and what loading it found out.
package struct LoadedContent: Sendable {
  package var container: CompiledContainer
  package var origin: ContainerOrigin
  package var diagnostics: [Diagnostic]

  package init(
    _ container: CompiledContainer = .empty, origin: ContainerOrigin = .empty, diagnostics: [Diagnostic] = []
  ) {
    self.container = container
    self.origin = origin
    self.diagnostics = diagnostics
  }
}
