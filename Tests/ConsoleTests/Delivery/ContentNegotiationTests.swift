import Testing

@testable import Console

@Suite("Content negotiation") struct ContentNegotiationTests {
  @Test(
    "CO-600: compiled JSON, unless the binary form is preferred by its name",
    arguments: [
      (nil, DeliveryForm.json), ("", .json), ("*/*", .json), ("application/json", .json), ("text/html", .json),
      ("application/json, application/x-protobuf;q=0.5", .json), ("application/x-protobuf", .binary),
      ("Application/X-Protobuf", .binary), ("application/x-protobuf; q=0.9, application/json;q=0.8", .binary),
      ("application/x-protobuf, */*", .json), ("application/x-protobuf;q=0", .json), (",,;q=,", .json),
    ])
  func form(accept: String?, expected: DeliveryForm) {
    #expect(ContentNegotiation.form(accept: accept) == expected)
  }

  @Test(
    "CO-600: gzip for whoever says so",
    arguments: [
      (nil, false), ("gzip", true), ("GZIP;q=0.1", true), ("gzip;q=0", false), ("br, gzip", true), ("*", true),
      ("identity", false), ("*;q=0", false), ("*, gzip;q=0", false),
    ])
  func gzip(field: String?, expected: Bool) {
    #expect(ContentNegotiation.takesGzip(field) == expected)
  }

  @Test(
    "CO-600: a validator among others, strong or weak, matches; part of one does not",
    arguments: [
      (nil, false), ("\"a\"", true), ("W/\"a\"", true), ("\"b\", \"a\"", true), ("*", true), ("\"a-b\"", false),
      ("a", false), ("\"b\" ,\tW/\"a\" ", true), ("", false),
    ])
  func validators(field: String?, expected: Bool) {
    #expect(ContentNegotiation.matches("\"a\"", ifNoneMatch: field) == expected)
  }
}
