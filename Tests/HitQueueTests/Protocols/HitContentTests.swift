import Hits
import Testing

@testable import HitQueue

@Suite struct HitContentTests {
  @Test("HQ-305: a stored form reads back as kind, property, client, user and fields")
  func form() throws {
    let hit = EncodedHit.make(.event, ["ec": "a b", "ea": "ở", "uid": "u", "_sid": "17"], property: "UA-1-1")
    let content = try #require(HitContent(hit))
    #expect(content.kind == .event)
    #expect(content.property == "UA-1-1")
    #expect(content.clientID == EncodedHit.client)
    #expect(content.userID == "u")
    #expect(content.fields == ["ec": "a b", "ea": "ở"])
    #expect(content.session == 17)
  }

  @Test("HQ-115, HQ-305: a custom hit is a compact document, and reads back")
  func document() throws {
    let hit = EncodedHit.make(
      .custom("level_up"), ["an": "Shop", "uid": "u", "cid": "own"],
      parameters: ["level": 3, "items": [["item_id": "A"]]])
    #expect(
      String(decoding: hit.content, as: UTF8.self)
        == #"{"cid":"own","fields":{"an":"Shop"},"name":"level_up","params":{"items":[{"item_id":"A"}],"level":3},"#
        + #""tid":"p","uid":"u"}"#)
    #expect(hit.body.first == 2)
    let content = try #require(HitContent(hit))
    #expect(content.kind == .custom("level_up"))
    #expect(content.clientID == "own")
    #expect(content.userID == "u")
    #expect(content.fields == ["an": "Shop"])
    #expect(content.parameters == ["level": 3, "items": [["item_id": "A"]]])
  }

  @Test("a beacon and damaged bytes are no content", arguments: ["{\"url\":\"https://a\"}", "{", "[]", "null"])
  func none(text: String) {
    let hit = QueuedHit(id: HitID(), sequence: 1, created: EncodedHit.now, body: [2] + Array(text.utf8))
    #expect(HitContent(hit) == nil)
  }
}
