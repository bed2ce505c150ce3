import Foundation
import Hits
import TestSupport
import Testing

/// A public client library of Measurement Protocol v1, pointed at `tagworks serve`.
@Suite struct ForeignClientTests {
  /// What the client's calls mean in the protocol's fields, by its documentation.
  static let sent: [[String: Value]] = [
    [
      "t": "pageview", "dh": "example.com", "dp": "/cửa-hàng?a=1&b=2", "dt": "50% 👍", "ul": "vi",
      "dr": "https://ref.example/?q=x+y",
    ],
    ["t": "event", "ec": "profile", "ea": "user registered", "el": "new & shiny", "ev": "7"],
    ["t": "transaction", "ti": "T-1", "tr": "10.00", "tt": "1.5", "ts": "2.25", "cu": "EUR", "ta": "Shop"],
    ["t": "item", "ti": "T-1", "in": "Coconut", "ip": "5.00", "iq": "2", "ic": "coco", "iv": "fruit", "cu": "EUR"],
    ["t": "event", "ec": "ecommerce", "ea": "purchase"],
    [
      "t": "pageview", "pa": "purchase", "ti": "T-2", "dp": "/checkout", "dh": "example.com", "tr": "26.74", "tt": "1",
      "ta": "Shop", "tcc": "X10", "pr1nm": "Unobtainium", "pr1pr": "13.37", "pr1qt": "2", "pr1id": "u-1",
      "pr1ca": "ores", "pr1br": "Acme", "pr1va": "blue",
    ],
  ]

  @Test("HQ-700, HQ-910: what a public client sends is found in the collector's store, field by field")
  func publicClient() async throws {
    // The interpreter of an environment with the client, which is made below the build directory when it is missing.
    guard let python = try ProjectScript.output(of: "foreign-client") else {
      return print("Foreign client: it could not be installed; nothing was checked")
    }
    let directory = try TemporaryDirectory()
    let script = try directory.write(Self.script, to: "client.py")
    let server = try RunningServer(data: directory.file("data"), arguments: ["--property", "UA-123456-7"])
    let client = Process()
    client.executableURL = URL(fileURLWithPath: python)
    client.arguments = [script, server.url]
    try client.run()
    client.waitUntilExit()
    #expect(client.terminationStatus == 0)
    let listed = try await Program.run(["hits", "list", "--intake", directory.file("data"), "--json"])
    #expect(server.stop() == 0)
    #expect(listed.status == 0)
    let hits = try listed.json.compactMap(\.map)
    let shared: [String: Value] = [
      "v": "1", "tid": "UA-123456-7", "cid": "35009a79-1a05-49d7-b876-2b884d0f825b", "aip": "1",
    ]
    #expect(hits.map { $0["fields"] } == Self.sent.map { .map($0.merging(shared) { own, _ in own }) })
    for (hit, fields) in zip(hits, Self.sent) {
      #expect(hit["property"] == "UA-123456-7")
      #expect(hit["kind"] == fields["t"])
      #expect(hit["client"] == shared["cid"])
      #expect(hit["source"] == "collect")
      // The client asks for it with `aip`.
      #expect(hit["address"] == nil)
      #expect(hit["userAgent"]?.string?.hasPrefix("python-requests/") == true)
    }
    let valid = try await Program.run(
      ["hits", "validate", "-", "--protocol", "mp1"],
      input: try await Program.run(
        ["hits", "export", "--intake", directory.file("data"), "--format", "mp1"]
      ).output)
    #expect(valid.status == 0, "\(valid.output)")
  }

  private static let script = """
    import sys

    from google_measurement_protocol import (
        enhanced_item, enhanced_purchase, event, item, pageview, report, transaction)
    from prices import Money

    sys.modules["google_measurement_protocol.report"].TRACKING_URI = sys.argv[1] + "/collect"
    euro = lambda amount: Money(amount, "EUR")
    hits = [
        pageview(
            path="/cửa-hàng?a=1&b=2", host_name="example.com", title="50% 👍", language="vi",
            referrer="https://ref.example/?q=x+y"),
        event("profile", "user registered", label="new & shiny", value=7),
        transaction(
            "T-1", [item("Coconut", euro("5.00"), quantity=2, item_id="coco", category="fruit")], euro("10.00"),
            tax=euro("1.5"), shipping=euro("2.25"), affiliation="Shop"),
        enhanced_purchase(
            "T-2", [enhanced_item("Unobtainium", euro("13.37"), 2, "u-1", "ores", "Acme", "blue")], euro("26.74"),
            "/checkout", tax=euro("1"), host="example.com", affiliation="Shop", coupon="X10", t="pageview"),
    ]
    for payloads in hits:
        for response in report("UA-123456-7", "35009a79-1a05-49d7-b876-2b884d0f825b", payloads):
            response.raise_for_status()
    """
}
