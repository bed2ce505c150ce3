import Hits
import TagManager
import Testing

@Suite struct FunctionCallTagTests {
  @Test("TM-820: the handler of the function name is called with the parameters, in both forms")
  func call() throws {
    let binary = TagRig(
      parameters: [
        "function_call_macro_name": "TUN_init",
        "additional_params": ["advertiserId": "165042", "level": 3, "items": ["a"], "gone": .absent],
      ],
      semantics: .legacy)
    #expect(
      try binary.effects(of: .functionCall) == [
        .callHandler("TUN_init", parameters: ["advertiserId": "165042", "level": 3, "items": ["a"]])
      ])
    let compiled = TagRig(parameters: [
      "classPath": "CargoTags",
      "functionArgument": [["key": "handlerMethod", "value": "AT_init"], ["key": "log", "value": "logc407"]],
    ])
    #expect(
      try compiled.effects(of: .functionCall) == [
        .callHandler("CargoTags", parameters: ["handlerMethod": "AT_init", "log": "logc407"])
      ])
  }

  @Test("TM-820: parameters may be missing, the name may not")
  func missing() throws {
    let bare = TagRig(parameters: ["function_call_macro_name": "FB_activateApp"])
    #expect(try bare.effects(of: .functionCall) == [.callHandler("FB_activateApp", parameters: [:])])
    #expect(
      TagRig().failure(of: .functionCall) == .evaluation(.missingParameter("function_call_macro_name")))
    #expect(
      TagRig(parameters: ["classPath": ""]).failure(of: .functionCall) == .evaluation(.missingParameter("classPath")))
  }
}
