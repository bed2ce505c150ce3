import Foundation
import Hits
import TagManager
import Testing

@Suite("Flat containers")
struct FlatContainerTests {
  /// The constants of a container by name, in the notation of `decoded`.
  static func constants(_ container: CompiledContainer) -> [String: Value] {
    let notation = Notation(container: container)
    return Dictionary(
      container.macros.map { ($0.name, notation.call($0, .macro).map?["value"] ?? .absent) }, uniquingKeysWith: { $1 })
  }

  static func decode(_ text: String) -> DecodeResult { ContainerDecoder.decode(Data(text.utf8), id: nil) }

  @Test("TM-130, TM-131: each key of a JSON object becomes a constant of its type")
  func json() throws {
    let result = Self.decode(
      #"{"t":"x","i":5,"f":1.5,"b":true,"l":[1,"a"],"m":{"k":{"n":2}},"big":18446744073709551616,"e":[]}"#)
    let container = try #require(result.container)
    #expect(
      Self.constants(container) == [
        "t": "x", "i": 5, "f": 1.5, "b": true, "l": ["$list": [1, "a"]], "m": ["$map": [["k", ["$map": [["n", 2]]]]]],
        "big": .double(0x1p64), "e": ["$list": []],
      ])
    #expect(container.version.isEmpty)
    #expect(container.semantics == .legacy)
    #expect(container.macros.allSatisfy { $0.function == .constant && !$0.isNotDefault })
    #expect(result.diagnostics.isEmpty)
  }

  @Test("TM-131: null is left out with a warning that names the key")
  func jsonNull() throws {
    let result = Self.decode(#"{"a":null,"b":1,"c":{"d":null,"e":2}}"#)
    #expect(Self.constants(try #require(result.container)) == ["b": 1, "c": ["$map": [["e", 2]]]])
    #expect(result.diagnostics.map(\.code) == [.flatUnsupportedValue, .flatUnsupportedValue])
    #expect(result.diagnostics.map(\.location) == ["a", "c"])
  }

  @Test(
    "TM-132: of a key seen twice the last counts, with a warning",
    arguments: [
      #"{"a":1,"b":2,"a":3}"#,
      "<plist><dict><key>a</key><integer>1</integer><key>b</key><integer>2</integer><key>a</key><integer>3</integer></dict></plist>",
    ])
  func duplicateKeys(text: String) throws {
    let result = Self.decode(text)
    #expect(Self.constants(try #require(result.container)) == ["a": 3, "b": 2])
    #expect(result.diagnostics.map(\.code) == [.duplicateKey])
    #expect(result.diagnostics.map(\.location) == ["a"])
  }

  /// Everything a property list can say, data besides.
  static var everything: [String: Any] {
    [
      "text": "Grüße 😀 & <more>", "empty": "", "int": 5, "negative": -70_000, "large": Int64.max, "least": Int64.min,
      "huge": UInt64.max, "float": 1.5, "whole": 2.0, "yes": true, "no": false,
      "date": Date(timeIntervalSince1970: 1_376_913_600), "early": Date(timeIntervalSince1970: -86_400 * 366 - 1),
      "list": [1, "two", [3.5]] as [Any], "map": ["k": ["n": "v"]], "data": Data([1, 2, 3]),
      "many": Array(0..<300), "wide": String(repeating: "ü", count: 300),
    ]
  }

  @Test(
    "A1, TM-131, TM-132: a property list gives the same values in both of its formats",
    arguments: [
      PropertyListSerialization.PropertyListFormat.xml, .binary,
    ])
  func propertyLists(format: PropertyListSerialization.PropertyListFormat) throws {
    let data = try PropertyListSerialization.data(fromPropertyList: Self.everything, format: format, options: 0)
    let result = ContainerDecoder.decode(data, id: nil)
    #expect(result.form == .propertyList)
    let constants = Self.constants(try #require(result.container, "\(String(describing: result.error))"))
    #expect(
      constants == [
        "text": "Grüße 😀 & <more>", "empty": "", "int": 5, "negative": -70_000, "large": .int(.max),
        "least": .int(.min),
        "huge": .double(0x1p64), "float": 1.5, "whole": 2, "yes": true, "no": false,
        "date": "2013-08-19T12:00:00Z", "early": "1968-12-30T23:59:59Z",
        "list": ["$list": [1, "two", ["$list": [3.5]]]], "map": ["$map": [["k", ["$map": [["n", "v"]]]]]],
        "many": ["$list": .list((0..<300).map { .int($0) })], "wide": .string(String(repeating: "ü", count: 300)),
      ])
    #expect(result.diagnostics.map(\.code) == [.flatUnsupportedValue])
    #expect(result.diagnostics.map(\.location) == ["data"])
  }

  @Test("TM-132: XML is read with its comments, character data, references and attributes")
  func xml() throws {
    let result = Self.decode(
      """
      <?xml version="1.0" encoding="UTF-8"?><!-- c --><!DOCTYPE plist [ <!ENTITY x "y"> ]>
      <plist version="1.0"><dict a="b"><!-- <key> --><key>a&amp;b</key><string>&lt;<![CDATA[<&]]>&#65;&#x1F600;<!-- c --></string>
      <key>h</key><integer> 0x1F </integer><key>n</key><real> -1e3 </real><key>t</key><true></true></dict></plist><!-- e -->
      """)
    #expect(Self.constants(try #require(result.container)) == ["a&b": "<<&A😀", "h": 31, "n": -1000, "t": true])
  }

  @Test(
    "TM-132: a damaged XML property list is refused by name; no entity of its own is resolved",
    arguments: [
      "<plist><dict><key>a</key></dict></plist>", "<plist><dict><string>a</string></dict></plist>",
      "<plist><dict><key>a</key><string>b</string></plist>", "<plist><dict/></plist>x", "<plist><dict/>",
      "<plist><dict><key>a</key><integer>x</integer></dict></plist>",
      "<plist><dict><key>a</key><real></real></dict></plist>",
      "<plist><dict><key>a</key><date>now</date></dict></plist>", "<plist><dict><key>a</key><wrong/></dict></plist>",
      "<!DOCTYPE plist [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><plist><dict><key>a</key><string>&x;</string></dict></plist>",
      "<plist><dict><key>a</key><string>&#xD800;</string></dict></plist>",
      "<plist><dict><key>a</key><string><b/></string></dict></plist>",
      "<plist><dict><key>a</key><array><string>b</string></dict></plist>", "<plist", "<plist><!-- ", "<?xml",
      "<plist><dict><key>a",
    ])
  func damagedXML(text: String) {
    #expect(Self.decode(text).error?.code == .malformedPropertyList)
  }

  @Test(
    "TM-132, §100.6: nested too deep in any flat form",
    arguments: [
      #"{"a":"# + String(repeating: "[", count: 64) + String(repeating: "]", count: 64) + "}",
      "<plist><dict><key>a</key>" + String(repeating: "<array>", count: 200_000),
      "<plist><dict>" + String(repeating: "<key>a</key><dict>", count: 100_000),
    ])
  func tooDeep(text: String) {
    #expect(Self.decode(text).error?.code == .tooDeep)
  }

  @Test("TM-132: a root that is no dictionary is refused by name")
  func roots() throws {
    for text in ["<plist><string>a</string></plist>", "<plist><true/></plist>"] {
      #expect(Self.decode(text).error?.code == .flatRootNotDictionary)
    }
    let binary = try PropertyListSerialization.data(fromPropertyList: [1, 2], format: .binary, options: 0)
    #expect(ContainerDecoder.decode(binary, id: nil).error?.code == .flatRootNotDictionary)
  }
}
