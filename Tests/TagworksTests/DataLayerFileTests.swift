import DurableStore
import Foundation
import Hits
import TagManager
import TestSupport
import Testing

@testable import Tagworks

@Suite("Data layer file")
struct DataLayerFileTests {
  private static let rows = [
    PersistedRow(path: "a.b", value: .int(.max), expiry: 5),
    PersistedRow(path: "a.c", value: .double(0.1), expiry: 6),
    PersistedRow(path: "d", value: ["x", .null, true, ["y": [1, 2.5]]], expiry: 7),
  ]

  @Test("TM-543: what was stored is loaded, types and order kept")
  func roundTrip() throws {
    let directory = try TemporaryDirectory()
    let file = DataLayerFile(path: directory.file("datalayer.json"))
    #expect(try file.load() == [])
    try file.store(Self.rows)
    #expect(try DataLayerFile(path: directory.file("datalayer.json")).load() == Self.rows)
    try file.remove(prefix: "a")
    #expect(try file.load() == [Self.rows[2]])
  }

  @Test("TM-543: the file is the documented one: numbers as texts, nested values typed")
  func format() throws {
    let directory = try TemporaryDirectory()
    try DataLayerFile(path: directory.file("f")).store([Self.rows[0], PersistedRow(path: "l", value: [2], expiry: 9)])
    #expect(
      try String(contentsOfFile: directory.file("f"), encoding: .utf8)
        == #"{"rows":[{"k":"a.b","t":"int","v":"9223372036854775807","x":5},"#
        + #"{"k":"l","t":"list","v":[{"t":"int","v":"2"}],"x":9}],"version":1}"#)
  }

  @Test(
    "TM-543: a damaged file is an error once, and gone",
    arguments: ["", "{", #"{"version":2,"rows":[]}"#, #"{"version":1,"rows":[{"k":"a","x":1,"t":"int","v":"x"}]}"#])
  func damaged(text: String) throws {
    let directory = try TemporaryDirectory()
    let file = DataLayerFile(path: try directory.write(text, to: "f"))
    #expect(throws: (any Error).self) { try file.load() }
    #expect(try file.load() == [])
  }

  @Test("TM-543: a text of the whole bound of 1 MiB is kept, however long it is as written")
  func long() throws {
    let directory = try TemporaryDirectory()
    let file = DataLayerFile(path: directory.file("f"))
    let rows = [PersistedRow(path: "long", value: .string(String(repeating: "\u{1}", count: 1 << 20)), expiry: 1)]
    try file.store(rows)
    #expect(try file.load() == rows)
  }

  @Test("TM-543: what could not be read again is refused, and the values before it stay")
  func refused() throws {
    let directory = try TemporaryDirectory()
    let file = DataLayerFile(path: directory.file("f"))
    try file.store(Self.rows)
    let numbers = Value.list(Array(repeating: 1, count: 1 << 19))
    #expect(throws: StoreError.self) { try file.store([PersistedRow(path: "n", value: numbers, expiry: 1)]) }
    #expect(try file.load() == Self.rows)
  }

  @Test("TM-543: a file that is too long is an error once, and gone")
  func tooLong() throws {
    let directory = try TemporaryDirectory()
    let text = String(repeating: " ", count: DataLayerFile.limits.bytes + 1)
    let file = DataLayerFile(path: try directory.write(text, to: "f"))
    #expect(throws: StoreError.self) { try file.load() }
    #expect(try file.load() == [])
  }

  @Test("TM-541: a value as deep as an update may be is kept")
  func deep() throws {
    let directory = try TemporaryDirectory()
    let value = (0..<64).reduce(Value.int(1)) { inner, _ in [inner] }
    let file = DataLayerFile(path: directory.file("f"))
    try file.store([PersistedRow(path: "deep", value: value, expiry: 1)])
    #expect(try file.load().first?.value == value)
  }
}

@Suite("Device store file")
struct DeviceStoreFileTests {
  @Test("TM-1203: texts are kept from one start to the next; nil deletes; the install's id is made once")
  func keeps() throws {
    let directory = try TemporaryDirectory()
    let store = DeviceStoreFile(path: directory.file("device.json"))
    #expect(try store.text(for: "a") == nil)
    try store.set("1", for: "a")
    try store.set("2", for: "b")
    try store.set(nil, for: "a")
    let id = try SystemDevice.installID(in: store)
    let next = DeviceStoreFile(path: directory.file("device.json"))
    #expect(try next.text(for: "a") == nil)
    #expect(try next.text(for: "b") == "2")
    #expect(try SystemDevice.installID(in: next) == id)
    #expect(UUID(uuidString: id) != nil)
  }

  @Test(
    "TM-1203: a damaged file is set aside with a warning, and the texts start anew",
    arguments: ["", "{", "[1]", String(repeating: " ", count: DeviceStoreFile.limits.bytes + 1)])
  func damaged(text: String) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(text, to: "device.json")
    let warnings = Locked<[String]>([])
    let store = DeviceStoreFile(path: path) { warning in warnings.withLock { $0.append(warning) } }
    let id = try SystemDevice.installID(in: store)
    #expect(warnings.withLock { $0.count } == 1)
    #expect(try String(contentsOfFile: directory.file("damaged/device.json"), encoding: .utf8) == text)
    #expect(try SystemDevice.installID(in: DeviceStoreFile(path: path)) == id)
  }

  @Test("TM-1203: a file that the system does not let us read is an error, and stays")
  func locked() throws {
    let directory = try TemporaryDirectory()
    let target = try directory.write("{}", to: "elsewhere.json")
    try FileManager.default.createSymbolicLink(atPath: directory.file("device.json"), withDestinationPath: target)
    let store = DeviceStoreFile(path: directory.file("device.json"))
    #expect(throws: StoreError.self) { try store.text(for: "a") }
    #expect(throws: StoreError.self) { try store.set("1", for: "a") }
  }

  @Test("TM-546: 100 click strings of 8 KiB can be read again; what could not be read again is refused")
  func bound() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("device.json")
    let store = DeviceStoreFile(path: path)
    var clicks = ClickStrings()
    for number in 0..<100 {
      // Every byte of the text takes two in its JSON, and two more in the file's.
      let query = "conv=\(number)&q=" + String(repeating: "\\", count: 8_100)
      let isNew = clicks.record(["gtm.url": .string("https://example.com/?\(query)")])
      #expect(isNew)
    }
    try store.set(clicks.text, for: ClickStrings.storeKey)
    #expect(throws: StoreError.self) {
      try store.set(String(repeating: "x", count: DeviceStoreFile.limits.bytes), for: "image.x")
    }
    let next = DeviceStoreFile(path: path)
    #expect(try next.text(for: ClickStrings.storeKey).flatMap(ClickStrings.init(text:)) == clicks)
    #expect(try next.text(for: "image.x") == nil)
  }
}

@Suite("Settings of an app without code")
struct SharedSettingsTests {
  @Test("TM-1211: variables before the app's dictionary; the collector is the server unless said")
  func texts() {
    let info = ["server": "https://a.example", "environment": "test"]
    let plain = SharedSettings(info: info, variables: [:])
    #expect([plain.server, plain.environment, plain.collector] == ["https://a.example", "test", "https://a.example"])
    let other = SharedSettings(
      info: info,
      variables: [
        "TAGWORKS_SERVER": "https://b.example", "TAGWORKS_COLLECTOR": "https://c.example", "TAGWORKS_ENVIRONMENT": "",
      ])
    #expect([other.server, other.environment, other.collector] == ["https://b.example", "test", "https://c.example"])
    #expect(other.settings.configuration.server == .tagworks("https://b.example"))
    #expect(SharedSettings(info: [:], variables: [:]).settings.configuration.server == nil)
  }

  @Test("TM-210: data is where the base directory specification says")
  func place() {
    #expect(
      DataDirectory.standard(appID: "org.example", variables: ["XDG_DATA_HOME": "/data"])
        == "/data/tagworks/org.example")
    #expect(
      DataDirectory.standard(appID: "a/b", variables: ["XDG_DATA_HOME": "data"])
        == NSHomeDirectory() + "/.local/share/tagworks/a_b")
  }

  @Test("TM-600: the language is the system's, as a BCP 47 tag")
  func language() {
    #expect(SystemDevice.language(["LANG": "es_ES.UTF-8"]) == "es-ES")
    #expect(SystemDevice.language(["LANG": "es_ES.UTF-8", "LC_ALL": "C"]) == "en")
    #expect(SystemDevice.language([:]) == "en")
  }
}
