import Hits
import TagManager

/// The places where apps ask for containers: `/v1/containers/<id>` (CO-600), and `/r` of the original SDK (CO-601).
package struct DeliveryRoutes: Sendable {
  let catalogue: DeliveryCatalogue

  package init(_ catalogue: DeliveryCatalogue) { self.catalogue = catalogue }

  static let containers = "/v1/containers/"
  static let legacy = "/r"

  /// What is answered from memory: all but previews.
  package var instant: [InstantRoute] {
    [
      InstantRoute(Self.containers + "{id}", prefix: Self.containers) { container($0) },
      InstantRoute(Self.legacy, prefix: Self.legacy) { legacy($0) },
    ]
  }

  private func container(_ request: InstantRequest) -> PreparedAnswer? {
    let id = ContainerID(String(request.path.dropFirst(Self.containers.utf8.count)))
    guard !request.query.isEmpty else {
      return catalogue.answer(id, environment: "live", token: nil, request)
    }
    let query = FormFields.firstValues(of: request.query)
    // A draft is made when it is asked for.
    guard query["gtm_auth"] == nil, query["gtm_preview"] == nil else { return nil }
    return catalogue.answer(id, environment: query["environment"] ?? "live", token: query["auth"], request)
  }

  private func legacy(_ request: InstantRequest) -> PreparedAnswer? {
    guard request.path == Self.legacy else { return nil }
    let query = FormFields.firstValues(of: request.query)
    guard let id = query["id"] else { return DeliveryRefusal.unknown }
    return catalogue.legacyAnswer(ContainerID(id), known: query["pv"], request)
  }
}
