import Hits
import Testing

@testable import WebTags

@Suite struct MappedCommandTests {
  private static func command(_ json: String) throws -> MappedCommand {
    try #require(try MappedCommand(Array(json.utf8)))
  }

  @Test("WT-531: names follow the file, the general conditions first, each once (peer bug 58)")
  func order() throws {
    let command = try Self.command(
      #"{"commands": {"zeta": "z,last", "k:1,alpha": "a", "all_events": "every,z", "tealium_event:zeta": "q"}}"#)
    for _ in 1...100 {
      #expect(
        command.payload(for: ["tealium_event": "zeta", "k": 1], type: "link")?["command_name"] == "every,z,last,q")
    }
    #expect(command.payload(for: ["tealium_event": "alpha", "k": 1], type: "view")?["command_name"] == "a")
    #expect(command.payload(for: ["tealium_event": "other"], type: "view") == nil)
  }

  @Test("WT-530: statics are added where their condition holds; the event's own data wins")
  func statics() throws {
    let command = try Self.command(
      #"""
      {"commands": {"buy": "purchase", "tier:gold": "vip"},
       "statics": {"buy": {"tier": "gold", "own": "static"}, "sell": {"x": 1}},
       "mappings": {"tier": "t", "own": "o", "x": "x"}}
      """#)
    #expect(
      command.payload(for: ["tealium_event": "buy", "own": "event"], type: "link")
        == ["command_name": "purchase,vip", "t": "gold", "o": "event"])
  }

  @Test("WT-530, WT-532: paths of any depth, empty segments, clashes where the later wins (peer bug 59)")
  func paths() throws {
    let command = try Self.command(
      #"""
      {"commands": {"all_views": "v"},
       "mappings": {"a": "x.y.z.u.v, .w, q..r", "b": "x", "c": "x.k,command_name", "d:1": "one", "d:2": "two", "e": ",.,"}}
      """#)
    #expect(
      command.payload(for: ["a": 1, "b": 2, "c": 3, "d": "1", "e": 5], type: "view")
        == ["command_name": "v", "x": ["k": 3], "w": 1, "q": ["r": 1], "one": "1"])
  }

  @Test("WT-530: the delimiters can be set")
  func delimiters() throws {
    let command = try Self.command(
      #"""
      {"config": {"keys_separation_delimiter": "&&", "keys_equality_delimiter": "==", "id": 7},
       "commands": {"a==1 && b==x:y": "hit"}, "mappings": {"a==1": "m"}}
      """#)
    #expect(command.payload(for: ["a": 1, "b": "x:y"], type: "link") == ["command_name": "hit", "m": 1])
    #expect(command.config["id"] == 7)
  }

  @Test(
    "WT-532: a file that is no object of objects is refused; missing parts are empty",
    arguments: ["[]", "1", #"{"commands": []}"#, #"{"mappings": "x"}"#, "{", ""])
  func bad(json: String) {
    let command = try? MappedCommand(Array(json.utf8))
    #expect(command == nil)
    let empty = try? MappedCommand(Array("{}".utf8))
    #expect(empty != nil && empty?.payload(for: ["tealium_event": "a"], type: "link") == nil)
  }
}
