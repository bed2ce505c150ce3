extension Workspace {
  /// What the author should know about the workspace, errors first (CO-206).
  ///
  /// Run on every save and before publishing; a workspace with errors is not compiled. Time and the length of the list
  /// are bounded, whatever is in the workspace.
  public var diagnostics: [WorkspaceDiagnostic] {
    var diagnostics = DiagnosticCollector()
    validate(WorkspaceIndex(self), into: &diagnostics)
    return diagnostics.all
  }

  func validate(_ index: WorkspaceIndex, into diagnostics: inout DiagnosticCollector) {
    FieldCheck().check(self, into: &diagnostics)
    NameCheck().check(self, into: &diagnostics)
    ReferenceCheck(index: index).check(self, into: &diagnostics)
    if isForApps { TypeCheck().check(self, into: &diagnostics) }
  }
}
