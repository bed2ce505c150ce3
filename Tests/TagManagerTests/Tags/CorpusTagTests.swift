import Foundation
import Hits
import TagManager
import TestSupport
import Testing

/// The tags of public containers, their macros replaced by texts that name them.
@Suite struct CorpusTagTests {
  /// The parameters that tags of public containers have; each is read, or named as without effect by its tag.
  private static let parameters: [FunctionName: Set<String>] = [
    .functionCall: ["function_call_macro_name", "additional_params", "classPath", "functionArgument"],
    .image: ["url", "additional_params"],
    .dataLayerWrite: ["value"],
    .measurementEvent: ["action", "eventName", "editParamTable", "mergeEventParameters"],
    .analytics: [
      "account", "analytics_fields", "anonymize_ip", "app_name", "app_version", "collect_adid", "content_description",
      "content_group", "dimension", "ecommerce_use_data_layer", "enable_ecommerce", "event_action", "event_category",
      "event_label", "event_value", "fields_to_set", "metric", "noninteraction", "track_appview", "track_data",
      "track_event", "enableEcommerce", "eventAction", "eventCategory", "eventLabel", "eventValue", "fieldsToSet",
      "gaSettings", "nonInteraction", "overrideGaSettings", "trackType",
      // Without effect.
      "analytics_pass_through", "ecommerceIsEnabled", "enableFirebaseCampaignData", "enableFirebaseEcommerce",
      "enableRecaptchaOption", "enableUaRlsa", "enableUseInternalVersion", "readDataFrom", "sendFirebaseCampaignData",
      "trackTypeIsEvent",
    ],
  ]

  private static let structural: Set<String> = [
    "function", "instance_name", "tag_id", "once_per_event", "vendor_template_version",
  ]

  private func fire(_ tags: [(id: String, parameters: [String: Value])], _ semantics: CompiledContainer.Semantics)
    -> [FunctionName: Int]
  {
    var fired: [FunctionName: Int] = [:]
    for tag in tags {
      guard let function = FunctionTable.tags.name(ofID: tag.id) else {
        Issue.record("no table names \(tag.id)")
        continue
      }
      let unknown = Set(tag.parameters.keys).subtracting(Self.parameters[function] ?? []).subtracting(Self.structural)
      #expect(unknown.isEmpty, "\(tag.id)")
      let rig = TagRig(parameters: tag.parameters, semantics: semantics)
      do throws(TagFailure) {
        if try !rig.effects(of: function).isEmpty { fired[function, default: 0] += 1 }
      } catch {
        Issue.record("\(tag.id) failed: \(error)")
      }
    }
    return fired
  }

  @Test("TM-830: every tag of the public binary containers has an effect, and every parameter is accounted for")
  func binary() throws {
    guard let corpus = Corpus.find(for: "CorpusTagTests") else { return }
    var tags: [(id: String, parameters: [String: Value])] = []
    for file in try corpus.files(in: "containers/decoded") where file.hasSuffix(".json") {
      let container = try Value(json: Array(corpus.data("containers/decoded/" + file)))
      for tag in (container.map?["tag"]?.list ?? []).compactMap(\.map) {
        let id = try #require(tag["function"]?.map?["$function"]?.string)
        tags.append((id, tag.mapValues(Self.binaryValue)))
      }
    }
    #expect(fire(tags, .legacy) == [.functionCall: 31, .analytics: 28, .image: 3, .dataLayerWrite: 2])
  }

  @Test("TM-831: every tag of the public compiled JSON containers has an effect, and every parameter is accounted for")
  func compiled() throws {
    guard let corpus = Corpus.find(for: "CorpusTagTests") else { return }
    var tags: [(id: String, parameters: [String: Value])] = []
    for file in try corpus.files(in: "containers/v5_json") where file.hasSuffix(".json") {
      let resource = try Value(json: Array(corpus.data("containers/v5_json/" + file))).map?["resource"]?.map
      let macros = (resource?["macros"]?.list ?? []).map { $0.map ?? [:] }
      for tag in (resource?["tags"]?.list ?? []).compactMap(\.map) {
        let id = try #require(tag["function"]?.string)
        tags.append((id, Self.parameters(of: tag, macros)))
      }
    }
    #expect(fire(tags, .standard) == [.functionCall: 2, .analytics: 27, .measurementEvent: 2])
  }

  private static func binaryValue(_ value: Value) -> Value {
    guard let form = value.map?.first else { return value }
    switch (form.key, form.value) {
    case ("$macro", let name): return .string("{{\(name.text(.legacy))}}")
    case ("$list", .list(let items)): return .list(items.map(binaryValue))
    case ("$template", .list(let items)):
      return .string(items.map { binaryValue($0).text(.legacy) }.joined())
    case ("$map", .list(let entries)):
      let pairs = entries.compactMap(\.list).map { ($0[0].text(.legacy), binaryValue($0[1])) }
      return .map(Dictionary(pairs, uniquingKeysWith: { $1 }))
    default: return value
    }
  }

  private static func parameters(of call: [String: Value], _ macros: [[String: Value]]) -> [String: Value] {
    Dictionary(
      call.map { key, value in
        (key.hasPrefix("vtp_") ? String(key.dropFirst(4)) : key, compiledValue(value, macros))
      }, uniquingKeysWith: { $1 })
  }

  private static func compiledValue(_ value: Value, _ macros: [[String: Value]]) -> Value {
    guard let items = value.list, let word = items.first?.string else { return value }
    let rest = items.dropFirst()
    switch word {
    case "list": return .list(rest.map { compiledValue($0, macros) })
    case "template": return .string(rest.map { compiledValue($0, macros).text(.standard) }.joined())
    case "map":
      let pairs = stride(from: 1, to: items.count - 1, by: 2).map { at in
        (compiledValue(items[at], macros).text(.standard), compiledValue(items[at + 1], macros))
      }
      return .map(Dictionary(pairs, uniquingKeysWith: { $1 }))
    case "macro":
      guard case .int(let index) = items[1] else { return .absent }
      let macro = macros[Int(index)]
      return macro["function"] == "__gas" ? .map(parameters(of: macro, macros)) : .string("{{\(index)}}")
    default: return value
    }
  }
}
