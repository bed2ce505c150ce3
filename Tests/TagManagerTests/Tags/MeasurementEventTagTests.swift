import Hits
import TagManager
import Testing

@Suite struct MeasurementEventTagTests {
  private let edits: Value = [
    ["editParamKey": "currency", "editParamValue": "EUR"], ["editParamKey": "value", "editParamValue": 3],
    ["editParamKey": "", "editParamValue": "x"], ["editParamKey": "gone", "editParamValue": .absent],
  ]
  private let update: [String: Value] = ["event": "purchase", "value": 1, "coupon": "C", "items": [["id": "a"]]]

  @Test("TM-845: measure sends the event of the given name with the edit table")
  func measure() throws {
    let parameters: [String: Value] = ["action": "measure", "eventName": "sale", "editParamTable": edits]
    #expect(
      try TagRig(parameters: parameters, update: update).effects(of: .measurementEvent) == [
        .send(.custom(name: "sale", parameters: ["currency": "EUR", "value": 3]), tracker: nil)
      ])
    let merging = parameters.merging(["mergeEventParameters": true]) { $1 }
    #expect(
      try TagRig(parameters: merging, update: update).effects(of: .measurementEvent) == [
        .send(
          .custom(
            name: "sale", parameters: ["currency": "EUR", "value": 3, "coupon": "C", "items": [["id": "a"]]]),
          tracker: nil)
      ])
  }

  @Test("TM-845: filter sends the event without the drop table and with the edit table, under its own or another name")
  func filter() throws {
    let parameters: [String: Value] = [
      "action": "filter", "editParamTable": edits,
      "dropParamTable": [["dropParamKey": "coupon"], ["dropParamKey": "nothing"], "x"],
    ]
    let kept: [String: Value] = ["currency": "EUR", "value": 3, "items": [["id": "a"]]]
    #expect(
      try TagRig(parameters: parameters, update: update).effects(of: .measurementEvent)
        == [.send(.custom(name: "purchase", parameters: kept), tracker: nil)])
    let named = parameters.merging(["overrideEventName": "sale"]) { $1 }
    #expect(
      try TagRig(parameters: named, update: update).effects(of: .measurementEvent)
        == [.send(.custom(name: "sale", parameters: kept), tracker: nil)])
  }

  @Test("TM-845: block sends nothing and keeps filter tags from firing")
  func block() throws {
    #expect(try TagRig(parameters: ["action": "block"]).effects(of: .measurementEvent) == [.blockFilters])
  }

  @Test(
    "TM-845: an unknown action or a missing name fails the tag",
    arguments: [([:], "action"), (["action": "x"], "action"), (["action": "measure", "eventName": ""], "eventName")]
      as [([String: Value], String)])
  func failures(parameters: [String: Value], missing: String) {
    #expect(
      TagRig(parameters: parameters).failure(of: .measurementEvent) == .evaluation(.missingParameter(missing)))
  }
}
