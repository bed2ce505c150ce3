import Hits
import TagManager

/// A container opened by itself: no network, hits are counted and forgotten, every handler answers.
struct ContainerSession {
  let tagManager: TagManager
  let container: Container

  init(_ file: ContainerFile, overrides: [MacroOverride] = [], device: any Device) throws {
    var content = try file.container()
    for override in overrides { try override.apply(to: &content) }
    tagManager = TagManager(ports: TagManager.Ports(sink: DiscardingSink(), device: device))
    tagManager.traceDetail = .full
    tagManager.logger = TerminalLogger()
    let id = file.id(of: content)
    container = try tagManager.openContainer(id, with: LoadedContent(content, origin: .default))
  }
}

/// Warnings and errors of the engine on standard error.
struct TerminalLogger: TagLogger {
  func error(_ message: String) { Output.message(message) }
  func warning(_ message: String) { Output.message(message) }
  func info(_ message: String) {}
  func debug(_ message: String) {}
  func verbose(_ message: String) {}
  var logLevel: LogLevel { .warning }
}
