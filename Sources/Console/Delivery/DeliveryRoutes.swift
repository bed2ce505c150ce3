import Hits
import TagManager

/// The places where apps ask for containers: `/v1/containers/<id>` (CO-600), and `/r` of the original SDK (CO-601).
package struct DeliveryRoutes: Sendable {
  let catalogue: DeliveryCatalogue
  let fetches: FetchTally

  package init(_ catalogue: DeliveryCatalogue) { self.init(catalogue, fetches: FetchTally()) }

  init(_ catalogue: DeliveryCatalogue, fetches: FetchTally) {
    self.catalogue = catalogue
    self.fetches = fetches
  }

  private static let containers = "/v1/containers/"
  private static let container = containers + "{id}"
  private static let legacy = "/r"

  /// What is answered from memory: all but previews, as soon as there was a first look into the store.
  package var instant: [InstantRoute] {
    [
      InstantRoute(Self.container, prefix: Self.containers) { answer($0) },
      InstantRoute(Self.legacy, prefix: Self.legacy) { legacyAnswer($0) },
    ]
  }

  /// What is left: previews, requests that come before the first look, and those that bring a body.
  func routes(_ previews: PreviewDelivery, firstLook: @escaping @Sendable () async -> Void) -> [Route] {
    [
      .reading(Self.container) { request in
        let query = FormFields(request.query)
        if Self.isPreview(query) {
          let response = await previews.answer(request, query)
          fetches.note(ContainerID(request.parameters["id"] ?? ""), response.status)
          return response
        }
        if let known = answer(InstantRequest(request)) { return known.response }
        await firstLook()
        return (answer(InstantRequest(request)) ?? DeliveryRefusal.notReady).response
      },
      .reading(Self.legacy) { request in
        if let known = legacyAnswer(InstantRequest(request)) { return known.response }
        await firstLook()
        return (legacyAnswer(InstantRequest(request)) ?? DeliveryRefusal.notReady).response
      },
    ]
  }

  private func answer(_ request: InstantRequest) -> PreparedAnswer? {
    let id = ContainerID(String(request.path.utf8.dropFirst(Self.containers.utf8.count)) ?? "")
    guard !request.query.isEmpty else {
      return counted(id, catalogue.answer(id, environment: ContainerEnvironment.liveName, token: nil, request))
    }
    let query = FormFields(request.query.utf8)
    guard !Self.isPreview(query) else { return nil }
    let environment = query["environment"].flatMap { $0.isEmpty ? nil : $0 } ?? ContainerEnvironment.liveName
    return counted(id, catalogue.answer(id, environment: environment, token: query["auth"], request))
  }

  private func counted(_ id: ContainerID, _ answer: PreparedAnswer?) -> PreparedAnswer? {
    if let answer { fetches.note(id, answer.response.status) }
    return answer
  }

  /// A draft is made when it is asked for, and needs the store.
  ///
  /// Without their values the fields ask for a draft all the same: who means one must not get what is live.
  private static func isPreview(_ query: FormFields) -> Bool {
    query["gtm_auth"] != nil || query["gtm_preview"] != nil
  }

  private func legacyAnswer(_ request: InstantRequest) -> PreparedAnswer? {
    guard request.path == Self.legacy else { return nil }
    let query = FormFields.firstValues(of: request.query)
    let id = ContainerID(query["id"] ?? "")
    return counted(id, catalogue.legacyAnswer(id, known: query["pv"], request))
  }
}

extension InstantRequest {
  /// The same of a request that has come the usual way.
  init(_ request: ServerRequest) {
    self.init(
      path: request.path, query: String(decoding: request.query, as: UTF8.self), headers: request.headers)
  }
}
