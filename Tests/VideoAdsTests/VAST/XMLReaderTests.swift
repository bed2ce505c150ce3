import Testing

@testable import VideoAds

@Suite struct XMLReaderTests {
  struct Repair: Sendable, CustomTestStringConvertible {
    let code: AdDiagnostic.Code
    let input: String
    let events: [String]
    var testDescription: String { "\(code): \(input.debugDescription.prefix(60))" }
  }

  static let cases: [Repair] = [
    Repair(code: "xml.leading", input: "\u{FEFF}<VAST/>", events: ["start VAST", "end VAST"]),
    Repair(code: "xml.leading", input: "\n  <?xml version=\"1.0\"?><VAST/>", events: ["start VAST", "end VAST"]),
    Repair(code: "xml.leading", input: "ok( 1 < 2 <v:VAST></v:VAST>", events: ["start v:VAST", "end v:VAST"]),
    Repair(code: "xml.trailing", input: "<VAST/>EOF", events: ["start VAST", "end VAST"]),
    Repair(code: "xml.trailing", input: "<VAST/><VAST/>", events: ["start VAST", "end VAST"]),
    Repair(
      code: "xml.ampersand", input: "<VAST>a&b=1&amp;c&nbsp;&copy&#x41;&#66;&</VAST>",
      events: ["start VAST", "text \"a&b=1&c&nbsp;&copyAB&\"", "end VAST"]),
    Repair(
      code: "xml.ampersand", input: "<VAST a='x?a=1&b=&lt;&#xD800;&#x110000;'/>",
      events: ["start VAST", "attribute a \"x?a=1&b=<&#xD800;&#x110000;\"", "end VAST"]),
    Repair(
      code: "xml.control", input: "<VAST>a\u{0}b\u{1}c\td&#0;e&#x1F;f</VAST>",
      events: ["start VAST", "text \"abc\\tdef\"", "end VAST"]),
    Repair(
      code: "xml.control", input: "<VAST><![CDATA[a\u{8}b]]></VAST>",
      events: ["start VAST", "section \"ab\"", "end VAST"]),
    Repair(
      code: "xml.attribute", input: "<VAST version=4.0 u=a/b-c%20 w=1/>",
      events: [
        "start VAST", "attribute version \"4.0\"", "attribute u \"a/b-c%20\"", "attribute w \"1\"", "end VAST",
      ]),
    Repair(code: "xml.attribute", input: "<VAST ... v></VAST>", events: ["start VAST", "end VAST"]),
    Repair(
      code: "xml.duplicateAttribute", input: "<VAST a='1' b='2' a='3'/>",
      events: ["start VAST", "attribute a \"1\"", "attribute b \"2\"", "end VAST"]),
    Repair(
      code: "xml.cdata", input: "<VAST><CDATA[a<b]]><[CDATA[c&d]]></VAST>",
      events: ["start VAST", "section \"a<b\"", "section \"c&d\"", "end VAST"]),
    Repair(
      code: "xml.prolog", input: "<!-- a --><?xml version='1.0'?><VAST><?php x ?></VAST>",
      events: ["start VAST", "end VAST"]),
    Repair(code: "xml.prolog", input: "<VAST><!-- a -- b --></VAST>", events: ["start VAST", "end VAST"]),
    Repair(
      code: "xml.doctype", input: "<!DOCTYPE VAST [<!ENTITY a \"]>\"> <!ENTITY b '&a;&a;'>]><VAST>&b;</VAST>",
      events: ["start VAST", "text \"&b;\"", "end VAST"]),
    Repair(
      code: "xml.lessThan", input: "<VAST>1 < 2 <3 <</VAST>",
      events: ["start VAST", "text \"1 < 2 <3 <\"", "end VAST"]),
    Repair(
      code: "xml.prefix", input: "<v:VAST v:a='1'/>", events: ["start v:VAST", "attribute v:a \"1\"", "end v:VAST"]),
    Repair(code: "xml.strayEnd", input: "<VAST></a></VAST>", events: ["start VAST", "end VAST"]),
    Repair(code: "xml.endTag", input: "<VAST></vast>", events: ["start VAST", "end VAST"]),
    Repair(
      code: "xml.missingEnd", input: "<VAST><a><b></VAST>",
      events: ["start VAST", "start a", "start b", "end b", "end a", "end VAST"]),
    Repair(code: "xml.truncated", input: "<VAST><a></a>", events: ["start VAST", "start a", "end a"]),
    Repair(code: "xml.truncated", input: "<VAST>a<![CDATA[b]", events: ["start VAST", "text \"a\""]),
  ]

  @Test("VA-320: what is not well-formed is mended, and the diagnostic says how", arguments: cases)
  func repairs(_ repair: Repair) {
    #expect(XMLEvents.ours(Array(repair.input.utf8)) == repair.events)
    #expect(Self.codes(repair.input).contains(repair.code))
  }

  @Test("VA-320: a well-formed document has no diagnostic")
  func clean() {
    let input = "<?xml version='1.0'?><!-- c --><v:VAST xmlns:v='u' a='&#10;&lt;'><b c='d'/>\r\ne<!-- f --></v:VAST>\n"
    #expect(Self.codes(input).isEmpty)
    #expect(
      XMLEvents.ours(Array(input.utf8)) == [
        "start v:VAST", "attribute a \"\\n<\"", "start b", "attribute c \"d\"", "end b", "text \"\\ne\"", "end v:VAST",
      ])
  }

  @Test(
    "VA-323: a body that is no markup, or escaped markup, fails with 100",
    arguments: [
      "", "  ", "{ vast: null }", "[1,2]", #"<VAST version=\"2.0\"></VAST>"#,
      #"<?xml version=\"1.0\"?><VAST a=\'1\'/>"#,
      "<!-- only a comment -->", String(repeating: "x", count: 5_000) + "<VAST/>",
    ])
  func malformed(_ input: String) {
    var reader = XMLReader(Array(input.utf8))
    while reader.next() != .endOfInput {}
    #expect(reader.failure == .malformed)
  }

  @Test("VA-326: deeper than 64 elements is 100, and so is a text above 1 MiB; 100,000 nested elements end at once")
  func depthAndText() {
    func failure(_ input: String) -> VASTErrorCode? {
      var reader = XMLReader(Array(input.utf8))
      while reader.next() != .endOfInput {}
      return reader.failure
    }
    func nested(_ count: Int) -> String {
      String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count)
    }
    #expect(failure(nested(64)) == nil)
    #expect(failure(nested(65)) == .malformed)
    #expect(failure(String(repeating: "<a>", count: 100_000)) == .malformed)
    #expect(failure("<a>" + String(repeating: "x", count: 1 << 20) + "</a>") == nil)
    #expect(failure("<a>" + String(repeating: "x", count: 1 + 1 << 20) + "</a>") == .malformed)
    #expect(failure("<a b='" + String(repeating: "x", count: 1 + 1 << 20) + "'/>") == .malformed)
  }

  @Test("VA-326: elements and attributes beyond their count are ignored with vast.cap")
  func counts() {
    let attributes = (0..<70).map { "a\($0)='1'" }.joined(separator: " ")
    #expect(XMLEvents.ours(Array("<VAST \(attributes)/>".utf8)).count == 2 + 64)
    let many = "<VAST>" + String(repeating: "<a/>", count: 20_005) + "</VAST>"
    #expect(XMLEvents.ours(Array(many.utf8)).count == 2 * 20_000)
    #expect(Self.codes(many) == ["vast.cap"])
  }

  @Test(
    "VA-302, VA-322: an end tag closes the innermost element spelled so, else the innermost of that name in any case and prefix",
    arguments: [
      ("<a><b></a>", "/VAST"), ("<a><A></a>", "/VAST"), ("<A><b></a>", "/VAST"), ("<a><p:A><b></a>", "/VAST"),
      ("<a><p:a><q:A><b></r:a>", "/VAST/a/a"), ("<p:a><q:a><b></p:a>", "/VAST"), ("<a><b><c></x></b>", "/VAST/a"),
      ("<aXb><aYb></axb>", "/VAST"), ("<a></b></c></b>", "/VAST/a"),
    ])
  func closing(input: String, path: String) {
    var reader = XMLReader(Array("<VAST>\(input)<end/>".utf8))
    while reader.next() != .endOfInput, !reader.path().hasSuffix("/end") {}
    #expect(reader.path() == path + "/end")
  }

  @Test("VA-1605, VA-1401: the name of an open element is read once for all stray end tags")
  func strayEndTags() {
    let names = (0..<55).map { "<element\($0)>" }.joined()
    let reader = Self.read("<VAST>\(names)" + String(repeating: "</x>", count: 1_000) + "</element0>")
    #expect(reader.log.diagnostics.filter { $0.code == "xml.strayEnd" }.count == 200)
    var open = XMLReader(Array("<VAST><a><b></x><c>".utf8))
    for _ in 0..<4 { _ = open.next() }
    #expect(open.open.map { $0.key != nil } == [true, true, true, false])
  }

  @Test("VA-330, VA-326: a limit is told once with how often it was met, and leaves room for the rest")
  func capsCounted() throws {
    let attributes = (0..<70).map { "a\($0)='1'" }.joined(separator: " ")
    let diagnostics = Self.read("<VAST>" + String(repeating: "<a \(attributes)/>", count: 300) + "&</VAST>").log
      .diagnostics
    #expect(diagnostics.map(\.code) == ["vast.cap", "xml.ampersand"])
    let message = try #require(diagnostics.first?.message)
    #expect(message == "Attributes beyond the first 64 of an element are ignored (1800 times).")
  }

  @Test("VA-330: a diagnostic knows its line, column and path; beyond 200 there is one diagnostics.cut")
  func places() throws {
    let reader = Self.read("<VAST>\n <Ad/><Ad><InLine>\u{E9}&</InLine></Ad>\n&</VAST>")
    let diagnostics = reader.log.diagnostics
    try #require(diagnostics.count == 2)
    #expect(diagnostics[0].line == 2 && diagnostics[0].column == 20 && diagnostics[0].path == "/VAST/Ad[2]/InLine")
    #expect(diagnostics[1].line == 3 && diagnostics[1].column == 1 && diagnostics[1].path == "/VAST")
    let many = Self.codes("<VAST>" + String(repeating: "& ", count: 1_000) + "</VAST>")
    #expect(many.count == 201 && many.last == "diagnostics.cut")
  }

  @Test("VA-1400: a bomb of entities is literal text, read in linear time")
  func entityBomb() {
    let entities = (1...9).map { "<!ENTITY l\($0) \"" + String(repeating: "&l\($0 - 1);", count: 10) + "\">" }.joined()
    let input = "<?xml version='1.0'?><!DOCTYPE lolz [<!ENTITY l0 \"lol\">\(entities)]><VAST>&l9;</VAST>"
    #expect(XMLEvents.ours(Array(input.utf8)) == ["start VAST", "text \"&l9;\"", "end VAST"])
  }

  @Test("VA-304: an element's text is its sections when one is not blank, else its characters, trimmed")
  func text() {
    let table: [(String, String)] = [
      (" a ", "a"), ("<![CDATA[ b ]]>", "b"), ("\n<![CDATA[b]]>\n", "b"), ("junk <![CDATA[b]]> junk", "b"),
      ("a <![CDATA[ ]]>", "a"), ("<![CDATA[b]]><!-- x --><![CDATA[c]]>", "bc"), ("a<!-- x -->b", "ab"), ("", ""),
      ("a<c>x</c>b", "ab"), ("&#32;a&amp;b ", "a&b"),
    ]
    for (input, expected) in table {
      var reader = XMLReader(Array("<VAST>\(input)</VAST>".utf8))
      _ = reader.next()
      #expect(reader.text() == expected, "\(input)")
      #expect(reader.next() == .endOfInput)
    }
  }

  private static func read(_ input: String) -> XMLReader {
    var reader = XMLReader(Array(input.utf8))
    while reader.next() != .endOfInput {}
    return reader
  }

  private static func codes(_ input: String) -> [AdDiagnostic.Code] { read(input).log.diagnostics.map(\.code) }
}

@Suite struct CharacterDecodingTests {
  @Test("VA-211: byte order mark, then declaration, then Content-Type, else UTF-8 decide how bytes are read")
  func encodings() {
    func text(_ bytes: [UInt8], _ charset: String? = nil) -> String {
      String(decoding: CharacterDecoding(bytes, charset: charset).text, as: UTF8.self)
    }
    let declared = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xE9]
    #expect(text(declared).hasSuffix("é"))
    #expect(text(declared, "utf-8").hasSuffix("é"))
    #expect(text([0x61, 0xE9], "ISO-8859-1") == "aé")
    #expect(text([0x61, 0x80], "windows-1252") == "a€")
    #expect(text([0x61, 0xE9]) == "a\u{FFFD}")
    #expect(text([0xFF, 0xFE, 0x3C, 0x00, 0xE9, 0x00]) == "<é")
    #expect(text([0xFE, 0xFF, 0x00, 0x3C, 0x00, 0xE9]) == "<é")
    #expect(text([0x3C, 0x00, 0x61, 0x00]) == "<a")
    #expect(text(Array("<?xml encoding='UTF-16'?><a>é".utf8)) == "<?xml encoding='UTF-16'?><a>é")
    #expect(CharacterDecoding(Array("<a/>".utf8), charset: "koi8-r").unknownName == "koi8-r")
    #expect(CharacterDecoding(Array("<a/>".utf8), charset: "US-ASCII").unknownName == nil)
  }

  @Test("VA-320: white space before the document may be of any length, other bytes up to 4,096 of them")
  func leading() {
    let blank = String(repeating: " \r\n\t", count: 5_000)
    for (input, isRead) in [
      (blank + "<VAST version='2.0'/>", true), ("\u{FEFF}" + blank + "<VAST version='2.0'/>", true),
      (String(repeating: "x", count: 4_096) + blank + "<VAST version='2.0'/>", true),
      (String(repeating: "x", count: 4_097) + "<VAST version='2.0'/>", false),
    ] {
      let result = VASTReader.read(Array(input.utf8))
      let document = VASTReadResult.Content.vast(VAST.Document(version: "2.0"))
      #expect(result.content == (isRead ? document : .failure(VAST.Failure(.malformed))), "\(input.utf8.count)")
      #expect(result.diagnostics.map(\.code) == [isRead ? "xml.leading" : "xml.noElement"])
    }
  }
}
