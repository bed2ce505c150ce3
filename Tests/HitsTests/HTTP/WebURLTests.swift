import Hits
import Testing

@Suite struct WebURLTests {
  @Test(
    "TM-841: an absolute http or https URL is read and written without change",
    arguments: [
      "https://www.example.com", "https://www.example.com/", "http://h/p?x=1", "https://h:8443/a/b?c=d&e=%20#f?g",
      "https://h?q", "https://h/?", "https://h/#", "http://127.0.0.1:8080/x", "http://[::1]/",
      "https://a_b-c.example./",
      "https://h/a@b:c", "https://h/?u=http://x/",
    ])
  func roundTrip(text: String) {
    #expect(WebURL(text)?.text == text)
  }

  @Test("scheme and host are compared in lower case")
  func lowerCase() throws {
    let url = try #require(WebURL("HTTPS://WWW.Example.COM/Path?Q#F"))
    #expect(url.text == "https://www.example.com/Path?Q#F")
    #expect(url.host == "www.example.com" && url.path == "/Path" && url.query == "Q" && url.fragment == "F")
  }

  @Test(
    "TM-841: anything else is refused",
    arguments: [
      "", " ", "/p", "//h/p", "h.com/p", "ftp://h/", "javascript://h/%0aalert(1)", "file:///etc/passwd", "https:h",
      "https:/h", "https://", "https:///p", "https://?q", "https://#f", "https://user@h/", "https://u:p@h/",
      "https://good.com\\@evil.com/", "https://h:0/", "https://h:65536/", "https://h:/", "https://h:8a/",
      "https://h:+1/",
      "https://h:٣/", "https://h..com/", "https://.com/", "https://./", "https://h%00.com/", "https://exämple.com/",
      "https://h /", "https://h/a b", "https://h/é", "https://h/\r\nX-Y: z", "https://h/\u{0}", "https://h/<script>",
      "https://h/`{|}", " https://h/", "https://h/ ", "https://[::1/", "https://::1/", "https://[]/", "https://[g]/",
      "https://h]/", "https://" + String(repeating: "a", count: 64) + "/",
      "https://h/" + String(repeating: "a", count: 8_183),
    ])
  func refused(text: String) {
    #expect(WebURL(text) == nil)
  }

  @Test(
    "TM-841: loopback is localhost, 127.0.0.0/8 and ::1",
    arguments: [
      ("http://localhost/", true), ("http://a.localhost:1/", true), ("http://127.0.0.1/", true),
      ("http://127.255.0.9/", true), ("http://[::1]/", true), ("http://127.0.0.1.evil.com/", false),
      ("http://localhost.evil.com/", false), ("http://128.0.0.1/", false), ("http://127.0.0.256/", false),
      ("http://127.1/", false), ("http://[::2]/", false),
    ])
  func loopback(text: String, isLoopback: Bool) {
    #expect(WebURL(text)?.isLoopback == isLoopback)
  }
}
