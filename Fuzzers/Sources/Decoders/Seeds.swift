import Foundation

/// The documents that inputs are made from: our own sample and a few by hand, and the public corpus when it is there.
public enum Seeds {
  /// Where `Fuzzers` lies inside the package.
  private static let package = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
  private static let corpus = package + "/../shared/corpus/containers"

  /// Whether the public corpus is there.
  public static var hasCorpus: Bool { FileManager.default.fileExists(atPath: corpus) }

  /// The files of a folder of the corpus; none when it is not there.
  static func corpus(_ folder: String) -> [[UInt8]] { files(corpus + "/" + folder, suffix: "") }

  /// The sample containers of the package with this ending.
  static func samples(_ suffix: String) -> [[UInt8]] { files(package + "/Sources/tagworks/Demo/Shop", suffix: suffix) }

  private static func files(_ folder: String, suffix: String) -> [[UInt8]] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().filter { $0.hasSuffix(suffix) }
      .compactMap { FileManager.default.contents(atPath: folder + "/" + $0).map { Array($0) } }
  }

  static let json: [[UInt8]] = [
    #"{"a":"text","b":7,"c":1.5e-3,"d":true,"e":null,"f":[1,[2]],"g":{"h":"\ud83d\ude00\n"}}"#,
    #"{"resource":{"version":"1","macros":[{"function":"__e"},{"function":"__c","vtp_value":["list",1,["map","k","#
      + #"["macro",0]]]}],"tags":[{"function":"__img","vtp_url":["template","https://h/?",["escape",["macro",1],12]],"#
      + #""setup_tags":["list",["tag",0,1]]}],"predicates":[{"function":"_eq","arg0":["macro",0],"arg1":"x"}],"#
      + #""rules":[[["if",0],["unless",0],["add",0],["block",0]]]}}"#,
    #"{"containerVersion":{}}"#, #"{"container":{"publicId":"GTM-X"}}"#, #"{"resource":{}}"#, "{}", "[",
    #"{"parameters":{},"conditions":[]}"#,
  ].map { Array($0.utf8) }

  static let propertyLists: [[UInt8]] =
    [
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict><key>a</key><string>t&amp;x</string><key>b</key><integer>7</integer><key>c</key>
      <array><real>1.5</real><true/></array><key>d</key><date>2020-01-01T00:00:00Z</date><key>e</key><data>AAEC</data>
      <key>f</key><dict><key>g</key><false/></dict></dict></plist>
      """
    ].map { Array($0.utf8) } + [binaryPropertyList]

  /// `bplist00` of `{"a": 1, "b": [true, "a", 1.5]}`.
  private static let binaryPropertyList: [UInt8] =
    Array("bplist00".utf8)
    + [0xD2, 1, 2, 3, 4, 0x51, 0x61, 0x51, 0x62, 0x10, 1, 0xA3, 5, 1, 6, 0x09, 0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0]
    + [8, 13, 15, 17, 19, 23, 24] + [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 7]
    + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 33]

  /// A `Resource` of one constant macro `k` with the value `v`, by hand.
  static let binary: [[UInt8]] = [
    message([
      (1, Array("function".utf8)), (1, Array("instance_name".utf8)), (1, Array("value".utf8)),
      (2, [8, 5, 0x3A, 2] + Array("_c".utf8)), (2, [8, 1, 0x12, 1] + Array("k".utf8)),
      (2, [8, 1, 0x12, 1] + Array("v".utf8)), (3, [8, 0, 16, 0]), (3, [8, 1, 16, 1]), (3, [8, 2, 16, 2]),
      (4, [0x18, 0, 0x18, 1, 0x18, 2]), (7, [0x38, 0]), (13, Array("1".utf8)),
    ])
  ]

  /// A message whose fields are all length-delimited.
  static func message(_ fields: [(number: Int, content: [UInt8])]) -> [UInt8] {
    fields.flatMap { number, content in
      var bytes = [UInt8(number << 3 | 2)]
      var count = content.count
      while count > 127 {
        bytes.append(UInt8(count & 127) | 128)
        count >>= 7
      }
      return bytes + [UInt8(count)] + content
    }
  }

  /// Pieces of the formats, to be put into inputs.
  public static let words: [[UInt8]] =
    [
      "{", "}", "[", "]", "\"", ",", ":", "null", "true", "1e999", "-0", "\\u0000", "\\ud800", "\\", "\"list\"",
      "\"map\"",
      "\"macro\"", "\"template\"", "\"escape\"", "\"tag\"", "\"macro-name\"", "\"if\"", "\"unless\"", "\"add\"",
      "\"block\"", "\"resource\":", "\"macros\":", "\"tags\":", "\"rules\":", "\"function\":", "[[[[[[[[", "<dict>",
      "</dict>", "<key>", "</key>", "<array>", "<!ENTITY x \"y\">", "&x;", "<plist>", "bplist00", "\u{FEFF}",
    ].map { Array($0.utf8) } + [
      [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xAA, 0x06], [0x0A], [0x12], [0x1A], [0x22],
      [0x3A],
      [0x08], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], [0xFF, 0xFF, 0xFF, 0xFF, 0x0F], [0],
    ]
}
