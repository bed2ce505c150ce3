import Authoring
import Foundation
import TagManager

/// `tagworks container convert`: a workspace or a container as a container of a form.
enum ContainerConvert: Command {
  static let description = CommandDescription(
    path: "container convert",
    summary: "Compiles a workspace export, or writes a container in another form.",
    operands: [
      .init(name: "IN", help: "a workspace export or a container of any form"),
      .init(name: "OUT", help: "the file to write; - is standard output"),
    ],
    options: [
      .init(
        name: "--to", value: "FORM",
        help: "json, binary, or plist, which holds the constants alone; without it OUT's extension decides",
        defaultText: "binary where there is no extension")
    ],
    exits: [
      (.success, "written"), (.inputHasErrors, "IN has errors, or the form cannot hold it"),
      (.unavailable, "a file cannot be read or written"),
    ],
    example: "tagworks container convert GTM-SHOP.workspace.json GTM-SHOP")

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let source = arguments.operand(0) ?? ""
    let path = arguments.operand(1) ?? ""
    // What an author wrote cannot be made again from what it compiles to.
    guard path == "-" || real(path) != real(source) else { throw UsageError("OUT is IN itself; name another file") }
    let output = try output(arguments.value("--to"), path: path)
    let container = try ContainerSource(path: source).usableContainer()
    let bytes: [UInt8]
    do throws(ContainerEncodingError) {
      bytes = try output.bytes(of: container)
    } catch {
      throw CommandFailure("it cannot be written as \(output.rawValue): \(error.message)")
    }
    if output == .plist { tellOmitted(from: container) }
    if path == "-" {
      Output.data(Data(bytes))
    } else {
      do {
        try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
      } catch {
        throw CommandFailure("\(path): cannot be written", status: .unavailable)
      }
    }
    return .success
  }

  private static func real(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

  private static func output(_ name: String?, path: String) throws(UsageError) -> ContainerOutput {
    switch name {
    case "json", "binary", "plist": ContainerOutput(rawValue: name ?? "") ?? .json
    case let name?: throw UsageError("--to takes json, binary or plist, not '\(name)'")
    case nil:
      switch URL(fileURLWithPath: path).pathExtension.lowercased() {
      case "json": .json
      case "plist": .plist
      case "", "bin": .binary
      default: throw UsageError("the extension of OUT tells no form; give --to json, binary or plist")
      }
    }
  }

  /// A file of values leaves out what only a running app can tell.
  private static func tellOmitted(from container: CompiledContainer) {
    let omitted = ContainerValues(container).omitted
    guard !omitted.isEmpty else { return }
    let names = omitted.prefix(10).joined(separator: ", ") + (omitted.count > 10 ? ", …" : "")
    Output.message("left out, for they are no constants: \(names)")
  }
}
