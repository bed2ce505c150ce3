import DurableStore
import Foundation
import GzipFormat
import Hits
import TagManager
import TestSupport
import Testing

@testable import Console

@Suite("Static site") struct StaticSiteTests {
  let directory: TemporaryDirectory
  var site: StaticSite { StaticSite(directory: directory.path) }

  init() throws { directory = try TemporaryDirectory(isMade: false) }

  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: directory.path + path)))
  }

  private func manifest() throws -> SiteManifest {
    try #require(SiteManifest(json: try bytes("/manifest.json")))
  }

  private func publish(_ title: Value) throws -> ContainerDelivery {
    try site.publish(SampleContainer.id) { sequence throws(ConsoleError) in
      do { return try SampleContainer.delivery(title, sequence: sequence) } catch {
        throw ConsoleError(code: .notDeliverable, message: "\(error)")
      }
    }
  }

  @Test("CO-406: the live one is where apps ask for it; every version stays under a name by its content; numbers grow")
  func publishes() throws {
    let first = try publish("first")
    let second = try publish("second")
    #expect(try bytes("/v1/containers/GTM-TEST") == second.json.plain)
    #expect(first.json.headers["Tagworks-Sequence"] == "1")
    #expect(second.json.headers["Tagworks-Sequence"] == "2")
    let files = try manifest().files
    #expect(files.count == 3)
    let live = try #require(files["/v1/containers/GTM-TEST"])
    #expect(live.content == SitePath.version(second))
    #expect(live.headers["ETag"] == second.json.etag)
    #expect(live.headers["Cache-Control"] == "public, max-age=300, stale-while-revalidate=86400")
    for delivery in [first, second] {
      let path = SitePath.version(delivery)
      #expect(try bytes(path) == delivery.json.plain)
      #expect(files[path]?.headers["Cache-Control"] == "public, max-age=31536000, immutable")
      if delivery.json.packed != nil {
        #expect(try Gunzip.unpack(try bytes(path + ".gz"), limit: 1 << 20) == delivery.json.plain)
      }
    }
    // Rollback is publishing again.
    let third = try publish("first")
    #expect(third.json.headers["Tagworks-Sequence"] == "3")
    #expect(try bytes("/v1/containers/GTM-TEST") == third.json.plain)
  }

  @Test("CO-406: web servers can read every file, and no temporary file is left")
  func permissions() throws {
    _ = try publish("first")
    let names = try #require(FileManager.default.enumerator(atPath: directory.path)?.compactMap { $0 as? String })
    var facts = stat()
    for name in names {
      #expect(lstat(directory.file(name), &facts) == 0)
      let expected: mode_t = facts.st_mode & S_IFMT == S_IFDIR ? 0o755 : name == ".lock" ? 0o600 : 0o644
      #expect(facts.st_mode & 0o777 == expected, "\(name)")
    }
    #expect(
      names.sorted().filter { !$0.hasPrefix("v1") } == [
        ".lock", "manifest.json", "nginx", "nginx/locations.conf", "nginx/maps.conf",
      ])
  }

  @Test("CO-406: a mirrored site has what is live elsewhere, and writes nothing when nothing has changed")
  func mirrors() throws {
    let deliveries = [
      try SampleContainer.delivery(sequence: 9), try SampleContainer.delivery(sequence: 2, id: "GTM-OTHER"),
    ]
    try site.mirror(deliveries)
    #expect(try bytes("/v1/containers/GTM-OTHER") == deliveries[1].json.plain)
    try FileManager.default.removeItem(atPath: directory.file("v1/containers/GTM-OTHER"))
    try site.mirror(deliveries)
    #expect(!FileManager.default.fileExists(atPath: directory.file("v1/containers/GTM-OTHER")))
    #expect(try publish("next").json.headers["Tagworks-Sequence"] == "10")
  }

  @Test("CO-406: what is removed takes its versions along, and others stay")
  func removes() throws {
    let other = try SampleContainer.delivery(sequence: 2, id: "GTM-OTHER")
    try site.mirror([try SampleContainer.delivery("old", sequence: 1), other])
    try site.mirror([try SampleContainer.delivery("new", sequence: 2), other])
    try site.mirror([other], removed: [SampleContainer.id, "GTM-NEVER"])
    #expect(try manifest().files.keys.sorted() == ["/v1/containers/GTM-OTHER", SitePath.version(other)])
    let names = FileManager.default.enumerator(atPath: directory.file("v1"))?.compactMap { $0 as? String } ?? []
    #expect(!names.contains { $0.contains("GTM-TEST") })
    #expect(try bytes("/v1/containers/GTM-OTHER") == other.json.plain)
  }

  @Test("TM-441: without its manifest a site's numbers go on from what its files say")
  func sequenceWithoutManifest() throws {
    for title: Value in ["first", "second", "third"] { _ = try publish(title) }
    try FileManager.default.removeItem(atPath: directory.file("manifest.json"))
    #expect(try publish("fourth").json.headers["Tagworks-Sequence"] == "4")
    // The versions tell it too.
    for name in ["manifest.json", "v1/containers/GTM-TEST"] {
      try FileManager.default.removeItem(atPath: directory.file(name))
    }
    #expect(try publish("fifth").json.headers["Tagworks-Sequence"] == "5")
  }

  @Test("TM-441: where no file tells the last number, nothing is published")
  func unknownSequence() throws {
    try FileManager.default.createDirectory(
      atPath: directory.file("v1/containers"), withIntermediateDirectories: true)
    _ = try directory.write("damaged", to: "v1/containers/GTM-TEST")
    let error = #expect(throws: ConsoleError.self) { try publish("first") }
    #expect(error?.code == .siteFailed)
    #expect(error?.message.contains("number of its last publication") == true)
    #expect(try bytes("/v1/containers/GTM-TEST") == Array("damaged".utf8))
  }

  @Test("ids that only case tells apart cannot stand in one site; the first stays, and others come in")
  func cases() throws {
    let first = try publish("first")
    let other = try SampleContainer.delivery("other", id: "gtm-test")
    let third = try SampleContainer.delivery("third", id: "GTM-THIRD")
    let error = #expect(throws: ConsoleError.self) { try site.mirror([other, third]) }
    #expect(error?.code == .siteFailed)
    #expect(try bytes("/v1/containers/GTM-TEST") == first.json.plain)
    #expect(try bytes("/v1/containers/GTM-THIRD") == third.json.plain)
  }

  @Test("a damaged manifest, a second publisher at work, and a place that cannot be written are named errors")
  func failures() throws {
    _ = try publish("first")
    let lock = try #require(try FileLock.take(directory.file(".lock")))
    let busy = #expect(throws: ConsoleError.self) { try publish("second") }
    #expect(busy?.message.contains("another publish") == true)
    lock.release()
    _ = try directory.write("[]", to: "manifest.json")
    let damaged = #expect(throws: ConsoleError.self) { try publish("second") }
    #expect(damaged?.message.contains("damaged") == true)
    let file = try directory.write("a file", to: "file")
    let nowhere = #expect(throws: ConsoleError.self) { try StaticSite(directory: file).mirror([]) }
    #expect(nowhere?.code == .siteFailed)
  }

  @Test("CO-406: nginx is told the file, the validator and the signature of each path, whatever they hold")
  func nginx() throws {
    var manifest = SiteManifest()
    manifest.files["/v1/containers/A"] = .init(
      content: "/v1/versions/A/1.json", headers: ["ETag": "\"e\\1\"", "Tagworks-Signature": "v1;k;AA=="])
    let maps = NginxConfiguration(manifest).maps
    for line in [
      #""/v1/containers/A" "/v1/versions/A/1.json";"#, #""/v1/containers/A" "\"e\\1\"";"#,
      #""/v1/containers/A \"e\\1\"" "1";"#, #""/v1/containers/A W/\"e\\1\"" "1";"#,
      #""/v1/containers/A" "v1;k;AA==";"#,
    ] {
      #expect(maps.contains(line), "\(line)")
    }
  }
}
