import Hits

/// Asks for a URL and ignores the answer (TM-840).
///
///     url
///     additional_params           list of maps, added to the query
///     unrepeatable                an id: fires at most once per install; true takes the tag's name
///     useCacheBuster              adds cacheBusterQueryParam (= gtmcb) with randomNumber
struct ImageTag: BuiltInTag {
  func effects(of call: TagCall, in context: TagContext) throws(TagFailure) -> [TagEffect] {
    let id = Self.unrepeatableID(of: call)
    if let id, context.isSpent(id) { return [] }
    var query = call.entries("additional_params").filter { !$0.value.isAbsent }
      .map { (key: $0.key, value: $0.value.text(call.semantics)) }
    if call.isTrue("useCacheBuster") {
      let name = call.text("cacheBusterQueryParam")
      let number = call.text("randomNumber")
      let random = { String(context.random.integer(in: 0...2_147_483_647)) }
      query.append((name.isEmpty ? "gtmcb" : name, number.isEmpty ? random() : number))
    }
    let url = try TagURL(call.text("url"), query: query, policy: context.urlPolicy)
    return url.effects(of: call) + (id.map { [.spend($0)] } ?? [])
  }

  private static func unrepeatableID(of call: TagCall) -> String? {
    if let flag = call["unrepeatable"]?.bool(call.semantics) { return flag ? call.name : nil }
    let id = call.text("unrepeatable")
    return id.isEmpty ? nil : id
  }
}
