import Authoring
import Foundation
import Hits
import TagManager

extension Target {
  /// Exports of workspaces, as authors exchange them.
  static let workspace = Target(
    "workspace", .json,
    seeds: Seeds.samples(".workspace.json") + Seeds.corpus("export_mobile") + Seeds.corpus("export_other"), run: compile
  )

  /// What is read exports to the same; what compiles decodes to what was compiled.
  private static func compile(_ bytes: [UInt8]) -> Verdict {
    let reading = WorkspaceReading(export: bytes)
    guard let workspace = reading.workspace else {
      guard let error = reading.diagnostics.first else { return .broken("neither a workspace nor an error") }
      return .refused(error.code.rawValue)
    }
    guard WorkspaceReading(export: workspace.exportBytes).workspace == workspace else {
      return .broken("exported and read again, the workspace is another")
    }
    let compilation = workspace.compiled(CompileSettings { $0.count })
    let error = compilation.diagnostics.first { $0.severity == .error }
    guard let container = compilation.container else {
      guard let error else { return .broken("neither a container nor an error") }
      return .refused(error.code.rawValue)
    }
    if let error { return .broken("a container and the error \(error.code)") }
    guard let json = try? JSONContainerEncoder().encode(container) else { return .broken("it cannot be written") }
    return ContainerDecoder.decode(Data(json), id: nil).container == container
      ? .accepted : .broken("written, the container reads differently")
  }
}
