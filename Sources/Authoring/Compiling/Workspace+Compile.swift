import Hits
import TagManager

extension Workspace {
  /// Compiles the workspace into what apps evaluate (CO-300).
  ///
  /// The same workspace and settings give the same container on every machine (CO-301). A workspace with errors, one
  /// that is not for apps, and one that would be too large are not compiled; the diagnostics say why.
  public func compiled(_ settings: CompileSettings) -> Compilation {
    let index = WorkspaceIndex(self)
    var diagnostics = DiagnosticCollector()
    validate(index, into: &diagnostics)
    checkIsForApps(into: &diagnostics)
    guard !diagnostics.hasErrors else { return Compilation(container: nil, diagnostics: diagnostics.all) }
    var draft = ContainerDraft(self)
    draft.compile(self)
    var container = draft.container
    container.id = publicID.isEmpty ? nil : ContainerID(publicID)
    container.version = settings.version ?? version
    container.environment = settings.environment
    container.sequence = settings.sequence
    container.publishedAt = settings.publishedAt
    container.usageContext = Array(Set(kinds.filter(\.isApp).map(\.rawValue))).sorted { $0.precedesInBytes($1) }
    let size = SizeCheck(settings: settings)
    size.check(container, into: &diagnostics)
    guard !diagnostics.hasErrors else { return Compilation(container: nil, diagnostics: diagnostics.all) }
    do throws(ContainerEncodingError) {
      try container.makeCanonical()
      let bytes = try JSONContainerEncoder().encode(container)
      container.fingerprint = ContentFingerprint.text(of: bytes)
      size.check(bytes, of: self, into: &diagnostics)
    } catch {
      if error.code == .tooLarge {
        size.refuse(self, error.message, into: &diagnostics)
      } else {
        diagnostics.error(.notExpressible, error.message)
      }
    }
    return Compilation(container: diagnostics.hasErrors ? nil : container, diagnostics: diagnostics.all)
  }

  private func checkIsForApps(into diagnostics: inout DiagnosticCollector) {
    let name = publicID.isEmpty ? "The container" : "Container \(publicID.prefix(80))"
    if !isForApps {
      let kind = kinds.map { $0 == .web ? "the web" : $0 == .amp ? "AMP pages" : "servers" }.first
      diagnostics.error(
        .webContainer,
        "\(name) is for \(kind ?? "something else"), not for apps. It can be kept and exported, not compiled.",
        field: "container.usageContext")
    }
    if !publicID.isEmpty, !ContainerID(publicID).isValid {
      diagnostics.error(
        .wrongType, "The public id must be a letter or digit and at most 63 letters, digits, _ or - after it.",
        field: "container.publicId")
    }
  }
}
