import Hits
import TagManager
import Testing

@Suite struct DataLayerWriteTagTests {
  @Test("§800 dataLayerWrite: the prefix is cleared, then each map is pushed, in order")
  func write() throws {
    let rig = TagRig(parameters: [
      "clear_data_layer_prefix": "cart", "value": [["cart": ["id": 1]], "text", ["gtm": ["lifetime": "547d"]]],
    ])
    #expect(
      try rig.effects(of: .dataLayerWrite) == [
        .clear(prefix: "cart"), .push(["cart": ["id": 1]]), .push(["gtm": ["lifetime": "547d"]]),
      ])
  }

  @Test("§800 dataLayerWrite: either part may be missing, not both")
  func parts() throws {
    #expect(
      try TagRig(parameters: ["clear_data_layer_prefix": "cart"]).effects(of: .dataLayerWrite)
        == [.clear(prefix: "cart")])
    #expect(try TagRig(parameters: ["value": ["a": 1]]).effects(of: .dataLayerWrite) == [.push(["a": 1])])
    #expect(
      TagRig(parameters: ["value": "x"]).failure(of: .dataLayerWrite) == .evaluation(.missingParameter("value")))
  }
}
