import Hits
import TagManager
import Testing

@Suite struct TagURLTests {
  @Test(
    "TM-841: what is no absolute http or https URL of a plain host fails the tag",
    arguments: [
      "", " ", "/p", "www.example.com/p", "//h/p", "ftp://h/", "javascript:alert(1)", "data:,x", "file:///etc/passwd",
      "https://", "https:///p", "https://user:secret@h/", "https://h@evil.com/", "https://h\\@evil.com/",
      "https://h/\r\nHost: evil.com", "https://h/\u{0}", "https://h/\t", "https://é.com/", "https://a b.com/",
      "https://h:99999/", "https://[::1/", " https://h/", "https://h/" + String(repeating: "a", count: 8_183),
    ])
  func refused(url: String) {
    for function in [FunctionName.image, .http] {
      #expect(TagRig(parameters: ["url": .string(url)]).failure(of: function) == .url)
    }
  }

  @Test(
    "TM-841: http becomes https unless it is loopback or allowed",
    arguments: [
      ("http://h/p", "https://h/p", "http://h/p"), ("HTTP://H:80/p", "https://h/p", "http://h:80/p"),
      ("http://h:8080/p", "https://h:8080/p", "http://h:8080/p"), ("https://h/p", "https://h/p", "https://h/p"),
      ("http://localhost:3000/p", "http://localhost:3000/p", "http://localhost:3000/p"),
      ("http://127.0.0.1/p", "http://127.0.0.1/p", "http://127.0.0.1/p"),
    ])
  func upgrade(url: String, upgraded: String, allowed: String) throws {
    let parameters: [String: Value] = ["url": .string(url)]
    #expect(try TagRig(parameters: parameters).url(of: .image) == upgraded)
    let lenient = TagRig(parameters: parameters, policy: TagURLPolicy(allowsInsecureRequests: true))
    #expect(try lenient.url(of: .image) == allowed)
    #expect(try lenient.warnings(of: .image).isEmpty)
  }

  @Test("TM-841: pasted blanks and letters of other scripts are encoded, not refused")
  func encoded() throws {
    let rig = TagRig(parameters: ["url": "https://h/a b/é?q=Trò chơi|x%20y#{f}"])
    #expect(try rig.url(of: .image) == "https://h/a%20b/%C3%A9?q=Tr%C3%B2%20ch%C6%A1i%7Cx%20y#%7Bf%7D")
  }

  @Test(
    "TM-841: allowed hosts are compared whole and in lower case",
    arguments: [
      ("https://good.com/", true), ("https://GOOD.com:8443/", true), ("https://evil.com/", false),
      ("https://good.com.evil.com/", false), ("https://a.good.com/", false), ("https://evil.com/?good.com", false),
    ])
  func hosts(url: String, isAllowed: Bool) {
    let rig = TagRig(parameters: ["url": .string(url)], policy: TagURLPolicy(allowedHosts: ["good.com"]))
    #expect((rig.failure(of: .image) == nil) == isAllowed)
  }

  @Test("TM-841: the whole URL with its added query is at most 8,192 bytes")
  func length() {
    let url = "https://h/" + String(repeating: "a", count: 8_000)
    func failure(_ count: Int) -> TagFailure? {
      let value = Value.string(String(repeating: "b", count: count))
      return TagRig(parameters: ["url": .string(url), "additional_params": [["k": value]]]).failure(of: .image)
    }
    #expect(failure(8_192 - 8_010 - 3) == nil)
    #expect(failure(8_192 - 8_010 - 2) == .url)
  }
}
