import Foundation
import Hits
import TagManager

/// Compiled containers of given sizes, the same in every run.
enum ContainerText {
  static let id: ContainerID = "GTM-BENCH"

  /// Constants under the names `key 0`, `key 1` …, and one rule that fires a tag.
  static func constants(_ count: Int, textLength: Int, runtimeItems: Int = 0) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    let macros = (0..<count).map { index in
      let text = String((0..<textLength).map { letters[(index * 7 + $0 * ($0 + 3)) % letters.count] })
      return #"{"function":"__c","instance_name":"key \#(index)","vtp_value":"\#(index) \#(text)"}"#
    }
    let runtime = (0..<runtimeItems).map { #"[50,"__f\#($0)",[46,"a"],[52,"b",["m",["a","p\#($0)"]]],[36,[15,"b"]]]"# }
    return text(
      macros: macros, tags: [tag(0)], predicates: [#"{"function":"_eq","arg0":["macro",0],"arg1":"event 0"}"#],
      rules: [rule(0)], runtime: runtime)
  }

  /// As many rules as said, each waiting for `event 0`, `event 1` … and firing a function-call tag of its own.
  static func rules(_ count: Int, predicate: (Int) -> (function: String, argument: String) = Self.equals) -> String {
    let predicates = (0..<count).map { index in
      let (function, argument) = predicate(index)
      return #"{"function":"\#(function)","arg0":["macro",0],"arg1":"\#(argument)"}"#
    }
    return text(macros: [], tags: (0..<count).map(tag), predicates: predicates, rules: (0..<count).map(rule))
  }

  static func equals(_ index: Int) -> (function: String, argument: String) { ("_eq", "event \(index)") }

  /// Constants whose compiled JSON, or whose binary, is of a size.
  static func constants(_ count: Int, bytes: Int, runtimeItems: Int = 0, encoded: (String) throws -> Data) rethrows
    -> Data
  {
    let plain = try encoded(constants(count, textLength: 0, runtimeItems: runtimeItems)).count
    return try encoded(constants(count, textLength: max(0, bytes - plain) / count, runtimeItems: runtimeItems))
  }

  /// A container's text as the binary form.
  static func binary(_ json: String) throws -> Data {
    let result = ContainerDecoder.decode(Data(json.utf8), id: id)
    guard let container = result.container else { throw BenchmarkFailure("\(result.diagnostics)") }
    return Data(try BinaryContainerEncoder().encode(container))
  }

  private static func tag(_ index: Int) -> String {
    #"{"function":"_func","instance_name":"tag \#(index)","vtp_function_call_macro_name":"note"}"#
  }

  private static func rule(_ index: Int) -> String { #"[["if",\#(index)],["add",\#(index)]]"# }

  private static func text(
    macros: [String], tags: [String], predicates: [String], rules: [String], runtime: [String] = []
  ) -> String {
    let macros = [#"{"function":"__e","instance_name":"_event"}"#] + macros
    let resource = [("macros", macros), ("tags", tags), ("predicates", predicates), ("rules", rules)]
      .map { #""\#($0)":[\#($1.joined(separator: ","))]"# }.joined(separator: ",")
    return #"{"resource":{"version":"1",\#(resource)},"runtime":[\#(runtime.joined(separator: ","))]}"#
  }
}

/// Why a benchmark gives no figures.
struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
