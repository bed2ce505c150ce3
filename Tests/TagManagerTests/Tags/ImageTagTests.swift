import Hits
import TagManager
import Testing

@Suite struct ImageTagTests {
  @Test("F6: an http pixel is asked for over https, its query kept, and its author is told")
  func upgraded() throws {
    let rig = TagRig(parameters: [
      "url": "http://www.example.com/p?x=1", "additional_params": [["gtmcb": 12_345]],
    ])
    #expect(
      try rig.effects(of: .image).last
        == .send(.beacon("https://www.example.com/p?x=1&gtmcb=12345"), tracker: nil))
    #expect(try rig.warnings(of: .image).map(\.code.rawValue) == ["insecureURLUpgraded"])
    #expect(try rig.warnings(of: .image).map(\.location) == ["The tag"])
  }

  @Test(
    "TM-840: parameters join the query by lists and key bytes, encoded; query and fragment stay",
    arguments: [
      ("https://h/p", [["b": "2 3", "a": "1&"], ["c": "é"]], "https://h/p?a=1%26&b=2%203&c=%C3%A9"),
      ("https://h/p#f", [["a": 1]], "https://h/p?a=1#f"), ("https://h/p?", [["a": 1]], "https://h/p?a=1"),
      ("https://h/p?x=1&#f", [["a": true]], "https://h/p?x=1&a=true#f"), ("https://h?x", [["a": 1]], "https://h?x&a=1"),
      ("https://h/p", ["a": nil, "b": .absent], "https://h/p?a="), ("https://h/p", [], "https://h/p"),
      ("https://h/p", "text", "https://h/p"), ("https://h/p", [["k y": "*-_.~"]], "https://h/p?k%20y=*-_.%7E"),
      ("https://h/p", [["l": [1, 2]]], "https://h/p?l=1%2C2"),
    ] as [(String, Value, String)])
  func query(url: String, additions: Value, expected: String) throws {
    let rig = TagRig(parameters: ["url": .string(url), "additional_params": additions])
    #expect(try rig.url(of: .image) == expected)
    #expect(try rig.warnings(of: .image).isEmpty)
  }

  @Test("TM-840: an unrepeatable tag fires once per install")
  func unrepeatable() throws {
    let parameters: [String: Value] = ["url": "https://h/", "unrepeatable": "id-1"]
    #expect(
      try TagRig(parameters: parameters).effects(of: .image)
        == [.send(.beacon("https://h/"), tracker: nil), .spend("id-1")])
    #expect(try TagRig(parameters: parameters, spent: ["id-1"]).effects(of: .image).isEmpty)
    let flags = TagRig(parameters: ["url": "https://h/", "unrepeatable": true])
    #expect(try flags.effects(of: .image).last == .spend("The tag"))
    let off = TagRig(parameters: ["url": "https://h/", "unrepeatable": false])
    #expect(try off.effects(of: .image).count == 1)
  }

  @Test("TM-840: the cache buster adds a number under its name")
  func cacheBuster() throws {
    let parameters: [String: Value] = ["url": "https://h/", "useCacheBuster": true, "randomNumber": 77]
    #expect(try TagRig(parameters: parameters).url(of: .image) == "https://h/?gtmcb=77")
    let named = parameters.merging(["cacheBusterQueryParam": "cb"]) { $1 }
    #expect(try TagRig(parameters: named).url(of: .image) == "https://h/?cb=77")
    let drawn = try TagRig(parameters: ["url": "https://h/", "useCacheBuster": true]).url(of: .image) ?? ""
    #expect(Int(drawn.dropFirst("https://h/?gtmcb=".count)).map { 0...2_147_483_647 ~= $0 } == true)
    let off = parameters.merging(["useCacheBuster": false]) { $1 }
    #expect(try TagRig(parameters: off).url(of: .image) == "https://h/")
  }
}
