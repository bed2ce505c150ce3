import Foundation
import HitQueue
import Hits
import TestSupport
import Testing

@Suite struct FormFieldsTests {
  @Test(
    "HQ-702: reading survives everything",
    arguments: [
      ("a=1&b=2", ["a": "1", "b": "2"]),
      ("a=1&a=2", ["a": "1"]),
      ("a=%zz&b=%4&c=%", ["a": "%zz", "b": "%4", "c": "%"]),
      ("a=%e1%BB%9F", ["a": "ở"]),
      ("a=x+y%20z%2B", ["a": "x y z+"]),
      ("&&a=1&&&b", ["a": "1", "b": ""]),
      ("a=1=2", ["a": "1=2"]),
      ("=1&%61=2", ["a": "2"]),
      ("a=%FF%FE!", ["a": "\u{FFFD}\u{FFFD}!"]),
      ("a=%00b", ["a": "\u{0}b"]),
      ("", [:]),
    ])
  func tolerance(text: String, fields: [String: String]) {
    #expect(FormFields(Array(text.utf8)).dictionary == fields)
  }

  @Test("HQ-702: raw bytes that are not UTF-8 become U+FFFD, a raw NUL stays")
  func rawBytes() {
    #expect(FormFields([0x61, 0x3D, 0xC3, 0x28, 0x00])["a"] == "\u{FFFD}(\u{0}")
  }

  @Test("HQ-610: lines end with LF or CR LF; empty ones do not count")
  func lines() {
    let lines = FormFields.lines(of: Array("a=1\r\n\n\r\nb=2\n".utf8)).map { String(decoding: $0, as: UTF8.self) }
    #expect(lines == ["a=1", "b=2"])
  }

  @Test(
    "HQ-611: what is encoded reads back, whatever the text", arguments: ["", "50% 👍", "a&b=c+d", "\u{0}\n", "~._-"])
  func roundTrip(text: String) {
    var bytes: [UInt8] = []
    FormEncoding.append("cd", text, to: &bytes)
    #expect(FormFields(bytes)["cd"] == text)
    #expect(bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F })
  }

  @Test("HQ-710: a hit is known again by its own id, by a digest of its fields, or not at all")
  func identity() throws {
    let id = try #require(HitID("017a8506-518f-7abc-8def-0123456789ab"))
    let read = { (text: String) in MeasurementLine.identity(of: FormFields(Array(text.utf8))) }
    #expect(read("v=1&_v=tw1.0.0&z=017a8506-518f-7abc-8def-0123456789ab") == .own(id))
    #expect(read("z=9&t=event&qt=17&ea=a%20b") == .digest(of: Array("ea=a%20b&t=event&z=9".utf8)))
    #expect(read("z=9&t=event&qt=18&ea=a+b") == .digest(of: Array("ea=a%20b&t=event&z=9".utf8)))
    #expect(read("_v=tw1.0.0&z=9") == .digest(of: Array("_v=tw1.0.0&z=9".utf8)))
    #expect(read("v=1&t=event") == .none)
  }

  @Test("HQ-611: every real hit of the corpus is read, encoded and read back the same")
  func corpus() throws {
    guard let corpus = Corpus.find(for: "FormFieldsTests") else { return }
    var lines = 0
    for folder in ["hits/mp_v1", "hits/mp_v1_batch", "hits/mp_v1_ios"] {
      for file in try corpus.files(in: folder) {
        for line in FormFields.lines(of: Array(try corpus.data("\(folder)/\(file)"))) {
          let fields = FormFields(line).dictionary
          #expect(fields.isEmpty == false, "\(folder)/\(file)")
          #expect(FormFields(FormEncoding.encode(sorted: fields)).dictionary == fields, "\(folder)/\(file)")
          lines += 1
        }
      }
    }
    #expect(lines > 60)
  }
}
