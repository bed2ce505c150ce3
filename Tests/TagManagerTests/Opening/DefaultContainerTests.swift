import Foundation
import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite("Default containers")
struct DefaultContainerTests {
  private static let json = Data(#"{"title":"from JSON","n":5}"#.utf8)
  private static let plist = Data(
    """
    <?xml version="1.0"?><plist version="1.0"><dict><key>title</key><string>from plist</string></dict></plist>
    """.utf8)
  private static let compiled = Data(
    #"{"resource":{"version":"3","macros":[{"function":"__c","instance_name":"title","vtp_value":"compiled"}]}}"#.utf8)

  private func open(
    _ files: [String: Data], installID: String = "install"
  ) throws -> (container: Container, logger: RecordingLogger) {
    let logger = RecordingLogger()
    let manager = TagManager(
      ports: TagManager.Ports(
        sink: RecordingSink(), device: FixedDevice(installID: installID),
        defaultContainers: InMemoryDefaultContainers(files)))
    manager.logger = logger
    manager.refreshMode = .defaultContainer
    return (try manager.openContainer("GTM-XXXX"), logger)
  }

  @Test("TM-200: the file without extension comes before the property list, that before JSON")
  func order() throws {
    var files = ["GTM-XXXX": Self.compiled, "GTM-XXXX.plist": Self.plist, "GTM-XXXX.json": Self.json]
    for (name, title) in [("GTM-XXXX", "compiled"), ("GTM-XXXX.plist", "from plist"), ("GTM-XXXX.json", "from JSON")] {
      #expect(try open(files).container.string(for: "title") == title)
      files[name] = nil
    }
  }

  @Test("A1, A2, TM-202: a candidate that is not used is named")
  func shadowed() throws {
    let (container, logger) = try open(["GTM-XXXX.plist": Self.plist, "GTM-XXXX.json": Self.json])
    #expect(container.string(for: "title") == "from plist")
    #expect(container.diagnostics.map(\.code) == [.defaultShadowed])
    #expect(container.diagnostics.map(\.location) == ["GTM-XXXX.json"])
    #expect(logger.texts(.info).count == 1)
    #expect(container.isDefault)
    #expect(container.origin == .default)
  }

  @Test("A3, TM-202: a candidate that cannot be decoded is told with its own error, and the next is used")
  func unreadable() throws {
    let (container, logger) = try open(["GTM-XXXX": Data("<html>".utf8), "GTM-XXXX.plist": Self.plist])
    #expect(container.string(for: "title") == "from plist")
    #expect(container.diagnostics.map(\.code) == [.htmlDocument, .defaultUnreadable])
    #expect(container.diagnostics.allSatisfy { $0.location?.hasPrefix("GTM-XXXX") == true })
    #expect(logger.messages.map(\.level) == [.error, .warning])
  }

  @Test("A5: a workspace export in place of a container is refused by name")
  func workspaceExport() throws {
    let (container, logger) = try open(["GTM-XXXX.json": Data(#"{"exportFormatVersion":2}"#.utf8)])
    #expect(container.origin == .empty)
    #expect(container.diagnostics.map(\.code) == [.workspaceExport, .defaultUnreadable, .noDefaultContainer])
    #expect(
      logger.texts(.error) == [
        "GTM-XXXX This is a workspace export, not a compiled container. Publish or compile it first."
      ])
  }

  @Test("TM-203, TM-172: without a candidate an empty container answers, and one warning says what was looked for")
  func missing() throws {
    let (container, logger) = try open([:])
    #expect(container.isDefault)
    #expect(container.origin == .empty)
    #expect(container.string(for: "title") == "")
    #expect(
      logger.texts(.warning).first
        == "GTM-XXXX No default container for GTM-XXXX. Looked for: GTM-XXXX, GTM-XXXX.plist, GTM-XXXX.json in memory."
        + " An empty container is used until one is loaded.")
  }

  @Test(
    "A4, TM-203: a near name is told with the name it should have",
    arguments: [
      ("GTM-XXXX_v7", "GTM-XXXX"), ("GTM-XXXX-v12.json", "GTM-XXXX.json"), ("GTM-XXXX.bin", "GTM-XXXX"),
      ("GTM-XXXX.json.json", "GTM-XXXX.json"), ("gtm-xxxx.json", "GTM-XXXX.json"), ("GTM-XXXX.JSON", "GTM-XXXX.json"),
      ("GTM-XXXX_v", nil), ("GTM-XXXXX", nil), ("other", nil), ("GTM-XXXX_v7a", nil),
    ] as [(String, String?)])
  func misnamed(name: String, remedy: String?) throws {
    let found = try open([name: Self.json]).container.diagnostics.filter { $0.code == .misnamedDefault }
    #expect(
      found.map(\.message)
        == (remedy.map { ["Found \(name); rename it to \($0) to use it as default container."] } ?? []))
  }

  @Test("TM-201: rules of a compiled default are evaluated")
  func compiledRules() throws {
    let container = try open(["GTM-XXXX.json": Self.compiled]).container
    #expect(container.version == "3")
    #expect(container.string(for: "title") == "compiled")
  }

  @Test("G8, TM-138: a rollout of 25 % reaches 23 to 27 % of 10,000 installs, and each always the same side")
  func rollout() throws {
    func version(_ number: Int) -> String {
      #"{"version":"\#(number)","macros":[{"function":"__c","instance_name":"v","vtp_value":\#(number)}]}"#
    }
    let file = Data(
      #"{"resource":\#(version(2)),"rollout":{"percent":25,"previous":{"resource":\#(version(1))}}}"#.utf8)
    let result = ContainerDecoder.decode(file, id: "GTM-XXXX")
    let container = try #require(result.container)
    let rollout = try #require(result.rollout)
    let count = (0..<10_000).count { number in
      rollout.choose(container, id: "GTM-XXXX", installID: "install-\(number)").version == "2"
    }
    #expect((2_300...2_700).contains(count))
    for number in 0..<20 {
      let expected = rollout.choose(container, id: "GTM-XXXX", installID: "install-\(number)").version
      for _ in 0..<2 {
        let opened = try open(["GTM-XXXX.json": file], installID: "install-\(number)").container
        #expect(opened.version == expected)
        #expect(opened.string(for: "v") == expected)
      }
    }
  }

  @Test("TM-204: a directory's files are candidates; one that is not there has none")
  func directory() throws {
    let directory = try TemporaryDirectory(isMade: false)
    let path = directory.path
    let source = DirectoryDefaultContainers(path: path)
    #expect(try source.data(named: "GTM-XXXX", limit: 10) == nil)
    #expect(try source.names() == [])
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Self.json.write(to: URL(fileURLWithPath: path).appendingPathComponent("GTM-XXXX.json"))
    #expect(try source.names() == ["GTM-XXXX.json"])
    #expect(try source.data(named: "GTM-XXXX.json", limit: 10)?.count == 11, "never read past the limit")
    #expect(try source.data(named: "GTM-XXXX.json", limit: 1_000) == Self.json)
  }

  @Test("TM-160: a file over the limit is refused")
  func tooLarge() throws {
    let container = try open(["GTM-XXXX": Data(count: (16 << 20) + 1)]).container
    #expect(container.diagnostics.map(\.code).contains(.tooLarge))
  }
}
