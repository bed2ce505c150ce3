import Authoring
import GzipFormat
import Hits
import TagManager

/// A container from a file of any form: a workspace export is compiled first.
struct ContainerSource {
  let file: ContainerFile
  /// The workspace, when the file is an export.
  let workspace: Workspace?
  /// The container; nil when there are errors.
  let container: CompiledContainer?
  /// What its author should know.
  let diagnostics: [Diagnostic]

  init(path: String) throws(CommandFailure) {
    self.init(file: try ContainerFile(path: path))
  }

  /// Takes an export under the name of a file.
  init(export: [UInt8], name: String) { self.init(file: ContainerFile(bytes: export, path: name)) }

  private init(file: ContainerFile) {
    self.file = file
    guard file.result.form == .workspaceExport else {
      workspace = nil
      container = file.result.container
      diagnostics = file.result.diagnostics
      return
    }
    let reading = WorkspaceReading(export: file.bytes)
    workspace = reading.workspace
    let compilation = reading.workspace?.compiled(Self.settings)
    container = compilation?.container
    diagnostics = (compilation?.diagnostics ?? reading.diagnostics).map(\.diagnostic)
  }

  /// The workspace and the id that it names.
  func namedWorkspace() throws(CommandFailure) -> (id: ContainerID, workspace: Workspace) {
    guard let workspace else {
      tellDiagnostics()
      throw CommandFailure("\(file.path) is not a workspace export that can be read")
    }
    let id = ContainerID(workspace.publicID)
    guard id.isValid else {
      throw CommandFailure("\(file.path): the export names no publicId that is a container's id")
    }
    return (id, workspace)
  }

  /// Says on standard error what its author should know.
  func tellDiagnostics() {
    for diagnostic in diagnostics where diagnostic.severity != .info {
      Output.message(DiagnosticText.line(diagnostic, file: file.path))
    }
  }

  /// The container; without one, what is wrong goes to standard error and the command ends.
  func usableContainer() throws(CommandFailure) -> CompiledContainer {
    tellDiagnostics()
    guard let container else { throw CommandFailure("\(file.path) is not usable") }
    return container
  }

  /// As large as a server's gzip makes it.
  static let settings = CompileSettings { bytes in Gzip.compress(bytes)?.count ?? bytes.count }
}
