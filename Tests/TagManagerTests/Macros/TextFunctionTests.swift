import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite("Macros that make texts")
struct TextFunctionTests {
  @Test(
    "E6: the digest of a text in upper-case hex, MD5 unless another is named",
    arguments: [
      (nil, "900150983CD24FB0D6963F7D28E17F72"), ("MD5", "900150983CD24FB0D6963F7D28E17F72"),
      ("SHA-1", "A9993E364706816ABA3E25717850C26C9CD0D89D"),
      ("SHA-256", "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"),
      (
        "SHA-384",
        "CB00753F45A35E8BB5A03D699AC65007272C32AB0EDED1631A8B605A43FF5BED8086072BA1E7CC2358BAECA134C825A7"
      ),
      (
        "SHA-512",
        "DDAF35A193617ABACC417349AE20413112E6FA4E89A97EA20A9EEEE64B55D39A2192992A274FC1A836BA3C23A3FEEBBD454D4423643CE80E2A9AC94FA54CA49F"
      ),
    ] as [(Value?, String)])
  func hash(algorithm: Value?, digest: String) {
    var arguments: [String: Value] = ["arg0": "abc"]
    arguments["algorithm"] = algorithm
    #expect(evaluate("_hsh", arguments) == .value(.string(digest)))
  }

  @Test("§600.3: the digest of the bytes that base 16 stands for; what is not of a format is missing")
  func hashFormats() {
    let digest = Evaluated.value("E0E8BFAFBB0689563B2FBA789C97B3CC")
    #expect(evaluate("_hsh", ["arg0": "fF00", "input_format": "base16"]) == digest)
    #expect(evaluate("_hsh", ["arg0": "fF0", "input_format": "base16"]) == .missing(.noValue))
    #expect(evaluate("_hsh", ["arg0": "abc", "input_format": "base64"]) == .missing(.noValue))
    #expect(evaluate("_hsh", ["arg0": "abc", "algorithm": "CRC"]) == .missing(.noValue))
    #expect(evaluate("_hsh") == .missing(.noValue))
  }

  @Test(
    "§600.3: encoding between text, base 16 and base 64",
    arguments: [
      (["arg0": "añ"], "61C3B1"), (["arg0": "añb?>", "output_format": "base64"], "YcOxYj8+"),
      (["arg0": "añb?>", "output_format": "base64url"], "YcOxYj8-"),
      (["arg0": "ab", "output_format": "base64"], "YWI="),
      (["arg0": "ab", "output_format": "base64", "no_padding": true], "YWI"),
      (["arg0": "YWI", "input_format": "base64"], "6162"), (["arg0": "YWI=", "input_format": "base64"], "6162"),
      (["arg0": "YcOxYj8-", "input_format": "base64url"], "61C3B1623F3E"),
      (["arg0": "61c3B1", "input_format": "base16", "output_format": "base64"], "YcOx"), (["arg0": 10], "3130"),
      (["arg0": ""], ""),
    ] as [([String: Value], String)])
  func encode(arguments: [String: Value], text: String) {
    #expect(evaluate("_enc", arguments) == .value(.string(text)))
  }

  @Test(
    "§600.3: what cannot be decoded, and an unknown format, is missing",
    arguments: [
      ["arg0": "6", "input_format": "base16"], ["arg0": "zz", "input_format": "base16"],
      ["arg0": "YW=I", "input_format": "base64"], ["arg0": "Y", "input_format": "base64"],
      ["arg0": "a b", "input_format": "base64"], ["arg0": "a", "input_format": "rot13"],
      ["arg0": "a", "output_format": "rot13"], [:],
    ] as [[String: Value]])
  func encodeMissing(arguments: [String: Value]) {
    #expect(evaluate("_enc", arguments) == .missing(.noValue))
  }

  @Test(
    "TM-661, E7: joining lists, maps and scalars",
    arguments: [
      (["arg0": ["b": 2, "a": 1], "item_separator": "&", "key_value_separator": "="], "a=1&b=2"),
      (["arg0": ["a", 1, nil, true], "item_separator": ","], "a,1,,true"), (["arg0": ["a", "b"]], "ab"),
      (["arg0": ["x", .absent, "y"], "item_separator": "|"], "x|y"), (["arg0": 5], "5"),
      (["arg0": ["é": 1, "z": 2, "k": .absent], "item_separator": ";", "key_value_separator": ":"], "z:2;é:1"),
      (["arg0": ["a b": "1&2"], "item_separator": "&", "escape": "url"], "a%20b=1%262"),
      (["arg0": ["a,b", "c\\", "d=e"], "item_separator": ",", "escape": "backslash"], "a\\,b,c\\\\,d\\=e"),
      (["arg0": "a;b", "item_separator": ";", "escape": "backslash"], "a\\;b"), (["arg0": ["a": ["b", "c"]]], "a=b,c"),
    ] as [([String: Value], String)])
  func join(arguments: [String: Value], text: String) {
    #expect(evaluate("_jn", arguments) == .value(.string(text)))
  }

  @Test("§600.3: joining nothing is missing, an empty list is the empty text")
  func joinNothing() {
    #expect(evaluate("_jn") == .missing(.noValue))
    #expect(evaluate("_jn", ["arg0": []]) == .value(""))
  }

  @Test(
    "§600.3: a group of the first match, the first group unless another is named",
    arguments: [
      (["arg0": "id=12&id=13", "arg1": "id=(\\d+)"], .value("12")),
      (["arg0": "id=12", "arg1": "id=(\\d+)", "group": 0], .value("id=12")),
      (["arg0": "ab", "arg1": "(a)(b)", "group": "2"], .value("b")),
      (["arg0": "x", "arg1": "(a)"], .missing(.noValue)),
      (["arg0": "ab", "arg1": "(a)", "group": 2], .missing(.noValue)),
      (["arg0": "ab", "arg1": "(a)", "group": -1], .missing(.noValue)),
      (["arg0": "ab", "arg1": "(a)", "group": "x"], .missing(.noValue)),
      (["arg0": "AB", "arg1": "(a)"], .missing(.noValue)),
      (["arg0": "AB", "arg1": "(a)", "ignore_case": true], .value("A")),
      (["arg0": "a", "arg1": "a", "group": 0], .value("a")), (["arg0": "a"], .missing(.noValue)),
      (["arg0": "a", "arg1": "("], .missing(.noValue)),
    ] as [([String: Value], Evaluated)])
  func regexGroup(arguments: [String: Value], result: Evaluated) {
    #expect(evaluate("_reg", arguments) == result)
  }

  @Test("TM-705: in legacy semantics an ill-formed pattern fails the macro; too long a subject does in both")
  func regexGroupFailures() {
    #expect(evaluate("_reg", ["arg0": "a", "arg1": "("], semantics: .legacy) == .failed(.regex))
    let long = Value.string(String(repeating: "x", count: 65_537))
    #expect(evaluate("_reg", ["arg0": long, "arg1": "(x)"]) == .failed(.limit))
  }

  @Test("§600.3: case follows Unicode's root mapping")
  func letterCase() {
    #expect(evaluate("_ls", ["arg0": "ÀBC İ"]) == .value("àbc i\u{307}"))
    #expect(evaluate("_us", ["arg0": "straße é i"]) == .value("STRASSE É I"))
    #expect(evaluate("_ls", ["arg0": true]) == .value("true"))
    #expect(evaluate("_us") == .missing(.noValue))
  }
}

@Suite("Macros that call the app, or hand their parameters on")
struct HandlerFunctionTests {
  private struct Handler: FunctionCallMacroHandler {
    var body: @Sendable (String, [String: Value]) throws -> Value?
    func value(forMacro name: String, parameters: [String: Value]) throws -> Value? { try body(name, parameters) }
  }

  private struct Refused: Error {}

  private func context(_ body: @escaping @Sendable (String, [String: Value]) throws -> Value?) -> MacroContext {
    .test { $0.macroHandler = { $0 == "price" ? Handler(body: body) : nil } }
  }

  private let call: [String: Value] = [
    "function_call_macro_name": "price", "additional_params": ["sku": "A1", "gone": .absent],
  ]

  @Test("TM-660, S7: the handler of the name is called with the additional parameters, its value is the macro's")
  func value() {
    let context = context { name, parameters in
      #expect(name == "price")
      #expect(parameters == ["sku": "A1"])
      return ["amount": 42]
    }
    #expect(evaluate("_func", call, in: context) == .value(["amount": 42]))
  }

  @Test("TM-660: without handler, value or success the macro is missing, and says why")
  func missing() {
    #expect(evaluate("_func", call) == .missing(.noHandler))
    #expect(evaluate("_func", call, in: context { _, _ in nil }) == .missing(.handlerReturnedNothing))
    #expect(evaluate("_func", call, in: context { _, _ in .absent }) == .missing(.handlerReturnedNothing))
    #expect(evaluate("_func", call, in: context { _, _ in throw Refused() }) == .missing(.handlerFailed("Refused()")))
  }

  @Test("TM-660: parameters are optional")
  func withoutParameters() {
    let context = context { _, parameters in .int(Int64(parameters.count)) }
    #expect(evaluate("_func", ["function_call_macro_name": "price"], in: context) == .value(0))
  }

  @Test("§600.3: analytics settings are the map of their parameters")
  func analyticsSettings() {
    let parameters: [String: Value] = ["trackingId": "UA-1", "collectAdid": false, "gone": .absent]
    #expect(evaluate("__gas", parameters) == .value(["trackingId": "UA-1", "collectAdid": false]))
  }
}
