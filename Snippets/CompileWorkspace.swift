// An author's export becomes the container an app opens (CO-201, CO-206, CO-300).
import Authoring
import Foundation

// snippet.compile
let export = try Data(contentsOf: URL(fileURLWithPath: "GTM-SHOP.workspace.json"))
let reading = WorkspaceReading(export: Array(export))
for diagnostic in reading.diagnostics { print(diagnostic.message) }

if let workspace = reading.workspace {
  // Whoever has a compressor tells what a server would send.
  let compilation = workspace.compiled(CompileSettings { bytes in bytes.count })
  for diagnostic in compilation.diagnostics {
    print(diagnostic.severity, diagnostic.entity?.name ?? "", diagnostic.message)
  }
  if let container = compilation.container {
    try Data(ContainerOutput.binary.bytes(of: container)).write(to: URL(fileURLWithPath: "GTM-SHOP"))
  }
}

// snippet.merge
if let present = reading.workspace, let other = WorkspaceReading(export: Array(export)).workspace {
  let plan = ImportPlan(of: other, into: present, mode: .merge(onConflict: .rename))
  for change in plan.changes { print(change.difference, change.kind, change.name) }
  let merged = plan.workspace
  print(merged.tags.count)
}
