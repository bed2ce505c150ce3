import Foundation
import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite struct PublishCommandTests {
  private static let workspace = SampleShopTests.folder.appendingPathComponent("GTM-SHOP.workspace.json").path

  @Test("CO-406: publish makes a workspace live in a directory, and its number grows with each publish")
  func publish() async throws {
    let directory = try TemporaryDirectory()
    let site = directory.file("site")
    for sequence in 1...2 {
      let result = try await Program.run(["publish", Self.workspace, "--to", site, "--json"])
      #expect(result.status == 0, "\(result.errors)")
      let report = try #require(try result.json.first?.map)
      #expect(report["id"] == "GTM-SHOP")
      #expect(report["version"] == "3")
      #expect(report["sequence"] == .int(Int64(sequence)))
      let live = try Data(contentsOf: URL(fileURLWithPath: site + "/v1/containers/GTM-SHOP"))
      #expect(report["bytes"] == .int(Int64(live.count)))
      let container = try #require(ContainerDecoder.decode(live, id: "GTM-SHOP").container)
      #expect(container.sequence == Int64(sequence))
      #expect(report["etag"] == container.fingerprint.map { .string("\"\($0)\"") })
    }
    let named = try await Program.run(["publish", Self.workspace, "--to", site, "--version", "3.1"])
    #expect(named.status == 0)
    #expect(named.output.contains("GTM-SHOP version 3.1 is live, publication 3"))
    #expect(named.output.contains("not signed"))
  }

  @Test("CO-406: a version's name is shown as it was given, also where no header could hold it")
  func versionName() async throws {
    let site = try TemporaryDirectory()
    let arguments = ["publish", Self.workspace, "--to", site.path, "--version", "2 beta"]
    #expect(try await Program.run(arguments).output.contains("GTM-SHOP version 2 beta is live"))
    #expect(try await Program.run(arguments + ["--json"]).json.first?.map?["version"] == "2 beta")
  }

  @Test("TM-441, CO-406: a lost manifest does not start the numbers of publications again")
  func lostManifest() async throws {
    let site = try TemporaryDirectory()
    let arguments = ["publish", Self.workspace, "--to", site.path, "--json"]
    for _ in 1...2 { #expect(try await Program.run(arguments).status == 0) }
    try FileManager.default.removeItem(atPath: site.file("manifest.json"))
    #expect(try await Program.run(arguments).json.first?.map?["sequence"] == 3)
    for name in ["manifest.json", "v1/versions"] { try FileManager.default.removeItem(atPath: site.file(name)) }
    _ = try site.write("{}", to: "v1/containers/GTM-SHOP")
    let refused = try await Program.run(arguments)
    #expect(refused.status == 3)
    #expect(refused.errors.contains("tells the number of its last publication"))
  }

  @Test("CO-904: a token is taken from a file of its owner alone, and an empty one is named as what it is")
  func tokens() async throws {
    let directory = try TemporaryDirectory()
    let open = try directory.write("twa_x", to: "open")
    let empty = try directory.write("\n", to: "empty")
    let odd = try directory.write("two words", to: "odd")
    chmod(open, 0o644)
    for file in [empty, odd] { chmod(file, 0o600) }
    let server = ["--server", "http://127.0.0.1:9"]
    for (arguments, environment, status, message) in [
      (["--token-file", open], [:], 1, "open can be read by others; protect it with 'chmod 600 "),
      (["--token-file", empty], [:], 1, "empty is empty"), (["--token-file", odd], [:], 1, "is no token"),
      (["--token-file", directory.file("none")], [:], 3, "there is no such file"),
      ([], ["TAGWORKS_TOKEN": ""], 2, "TAGWORKS_TOKEN, which is set but empty"),
      ([], [:], 2, "give a token with --token-file or TAGWORKS_TOKEN;"),
    ] as [([String], [String: String], Int32, String)] {
      let result = try await Program.run(
        ["container", "pull", "GTM-SHOP", "-"] + server + arguments, environment: environment)
      #expect(result.status == status, "\(arguments) \(result.errors)")
      #expect(result.errors.contains(message), "\(arguments) \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
    }
    chmod(open, 0o600)
    let closed = try await Program.run(["container", "pull", "GTM-SHOP", "-", "--token-file", open] + server)
    #expect(closed.status == 3 && closed.errors.contains("does not answer"))
  }

  @Test("CO-101: a key or directory that cannot be used ends the start of a server with exit 2 and one line")
  func serveKey() async throws {
    let directory = try TemporaryDirectory()
    let long = try directory.write(String(repeating: "no key ", count: 1000), to: "long")
    chmod(long, 0o600)
    let plain = try directory.write("", to: "plain")
    for (arguments, message) in [
      (["--signing-key", directory.file("nofile")], "nofile: there is no such file"),
      (["--signing-key", long], "long is no Ed25519 key"), (["--site", plain], "plain cannot be used"),
    ] {
      let result = try await Program.run(["serve", "--port", "0", "--data", directory.file("data")] + arguments)
      #expect(result.status == 2, "\(arguments) \(result.errors)")
      #expect(result.errors.contains(message), "\(arguments) \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
    }
  }

  @Test("TM-440: key make and key show print what apps check with; publish signs by the key")
  func keys() async throws {
    let directory = try TemporaryDirectory()
    let (key, site) = (directory.file("key.pem"), directory.file("site"))
    let made = try await Program.run(["key", "make", key, "--json"])
    #expect(made.status == 0, "\(made.errors)")
    let shown = try await Program.run(["key", "show", key, "--json"])
    #expect(try shown.json == made.json)
    #expect(try await Program.run(["key", "make", key]).status == 3)
    #expect(try await Program.run(["key", "show", directory.file("nosuch")]).status == 3)
    let text = try await Program.run(["key", "show", key])
    let id = try #require(try made.json.first?.map?["id"]?.string)
    #expect(text.output.contains(".required([\"\(id)\""))
    let published = try await Program.run(["publish", Self.workspace, "--to", site, "--signing-key", key, "--json"])
    #expect(try published.json.first?.map?["signatures"] == 1)
    let manifest = try Value(json: Array(Data(contentsOf: URL(fileURLWithPath: site + "/manifest.json"))))
    let headers = manifest.map?["files"]?.map?["/v1/containers/GTM-SHOP"]?.map?["headers"]?.map
    #expect(headers?["Tagworks-Signature"]?.string?.hasPrefix("v1;\(id);") == true)
  }

  @Test("CO-206: what cannot be published is said in one line each, and nothing is touched")
  func refused() async throws {
    let directory = try TemporaryDirectory()
    let site = directory.file("site")
    let broken = try directory.write(
      #"{"exportFormatVersion":2,"containerVersion":{"container":{"publicId":"GTM-A"},"tag":[{"tagId":"1","name":"t","type":"html","firingTriggerId":["4"]}]}}"#,
      to: "broken.json")
    let nameless = try directory.write(#"{"exportFormatVersion":2,"containerVersion":{}}"#, to: "nameless.json")
    let web = try directory.write(
      #"{"exportFormatVersion":2,"containerVersion":{"container":{"publicId":"GTM-A","usageContext":["WEB"]}}}"#,
      to: "web.json")
    let compiled = SampleShopTests.folder.appendingPathComponent("GTM-SHOP.json").path
    let openKey = try directory.write("no key", to: "open.pem")
    for (arguments, status, message) in [
      ([broken, "--to", site], 1, "unknownType"), ([nameless, "--to", site], 1, "publicId"),
      ([web, "--to", site], 1, "is for the web, not for apps"), ([compiled, "--to", site], 1, "workspace export"),
      ([directory.file("none"), "--to", site], 3, "there is no such file"),
      ([Self.workspace], 2, "give the console's address with --server"),
      ([Self.workspace, "--to", site, "--signing-key", openKey], 1, "chmod 600"),
      ([Self.workspace, "--to", openKey], 3, "cannot be used"),
    ] as [([String], Int32, String)] {
      let result = try await Program.run(["publish"] + arguments)
      #expect(result.status == status, "\(arguments) \(result.errors)")
      #expect(result.errors.contains(message), "\(arguments) \(result.errors)")
      #expect(result.output.isEmpty)
    }
    #expect(!FileManager.default.fileExists(atPath: site))
  }
}
