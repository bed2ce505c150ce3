import Foundation
import Hits
import Testing

@Suite("HTTP dates")
struct HTTPDateTests {
  @Test(
    "The three forms of RFC 9110 and the one of cookies are the same moment",
    arguments: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
      "Sun, 06-Nov-1994 08:49:37 GMT",
    ])
  func forms(text: String) {
    #expect(HTTPDate.read(text) == Date(timeIntervalSince1970: 784_111_777))
  }

  @Test("What is no date is none", arguments: ["", "tomorrow", "1994-11-06", "Sun, 06 Nov 1994 08:49:37 CET", "0"])
  func others(text: String) {
    #expect(HTTPDate.read(text) == nil)
  }
}
