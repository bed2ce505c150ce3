import Authoring
import Console
import Hits
import TagManager

/// `tagworks publish`: a workspace becomes what apps get.
enum Publish: Command {
  static let description = CommandDescription(
    path: "publish",
    summary: "Compiles a workspace and makes it live, in a directory that any web server delivers.",
    operands: [.init(name: "WORKSPACE", help: "a workspace export")],
    options: [
      .init(
        name: "--to", value: "DIR",
        help: "write v1/containers/<id>, every version beside it, and configuration for nginx", isRequired: true),
      .init(
        name: "--version", value: "TEXT", help: "what the version is called",
        defaultText: "the workspace's own, else the number of the publication"),
      .init(
        name: "--signing-key", value: "FILE", help: "a key that signs the container; see 'tagworks key make'",
        isRepeatable: true),
      CommandDescription.json,
    ],
    exits: [
      (.success, "live"), (.inputHasErrors, "the workspace or a key has errors; nothing is changed"),
      (.unavailable, "a file cannot be read or written"),
    ],
    example: "tagworks publish GTM-SHOP.workspace.json --to /srv/containers")

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let directory = arguments.value("--to") ?? ""
    let source = try ContainerSource(path: arguments.operand(0) ?? "")
    let delivery = try SitePublishing(
      source: source, site: directory, version: arguments.value("--version"), keys: try keys(arguments)
    ).publish()
    let report = PublishReport(delivery)
    if arguments.has("--json") {
      Output.line(report.json.jsonText)
    } else {
      Output.line(report.text)
      Output.line("  \(directory)/v1/containers/\(delivery.id)")
      Output.line("  nginx: include nginx/maps.conf and nginx/locations.conf once, and reload it after each publish")
    }
    return .success
  }

  private static func keys(_ arguments: Arguments) throws(CommandFailure) -> [SigningKey] {
    var keys: [SigningKey] = []
    do throws(ConsoleError) {
      for file in arguments.all("--signing-key") { keys.append(try SigningKey(file: file)) }
    } catch {
      throw CommandFailure(error.message)
    }
    return keys
  }
}

/// What was published, in one line or as JSON.
struct PublishReport {
  let json: Value
  let text: String

  init(_ delivery: ContainerDelivery) {
    let body = delivery.json
    let version = body.headers["Tagworks-Version"]
    let sequence = body.headers["Tagworks-Sequence"]
    let signatures = body.headers["Tagworks-Signature"].map { $0.split(separator: ",").count } ?? 0
    json = .map([
      "id": .string(delivery.id.text), "etag": .string(body.etag), "bytes": .int(Int64(body.plain.count)),
      "version": version.map(Value.string) ?? .null,
      "sequence": sequence.flatMap { Int64($0) }.map(Value.int) ?? .null, "signatures": .int(Int64(signatures)),
    ])
    text =
      "\(delivery.id) version \(version ?? "?") is live, publication \(sequence ?? "?"): "
      + "\(body.plain.count) bytes, \(body.packed?.count ?? body.plain.count) packed"
      + (signatures > 0 ? ", signed" : ", not signed")
  }
}
