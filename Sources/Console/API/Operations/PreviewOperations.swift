import Hits
import TagManager

/// Preview links: make, list, revoke (CO-500).
struct PreviewOperations: Sendable {
  let context: APIContext

  private static let path = "/containers/{container}/previews"

  var all: [APIOperation] {
    [
      APIOperation(
        "listPreviews", "GET", Self.path, "Lists the preview links, the newest first, without their tokens.",
        .container(.read), answer: .json(.page("Previews", "previews", of: .schema(.preview))), run: list),
      APIOperation(
        "createPreview", "POST", Self.path,
        "Makes a link that shows the draft, or a version, for 7 days to whoever has it.", .container(.edit),
        body: .fields(
          APISchema(
            "NewPreviewOptions",
            [
              .optional("version", .integer(1...999_999_999), "The version; the draft without it."),
              .optional(
                "app", .text(limit: 255), "The app's id, such as com.example.shop, for the link of its scheme."),
            ])), status: 201,
        answer: .json(
          APISchema(
            "NewPreview",
            APISchema.preview.fields + [
              APIField("token", .shortText, "The token in the links: it is shown this once."),
              APIField("link", .longText, "The link of this server, which leads to the app's."),
              .optional("appLink", .longText, "The link of the app's scheme."),
            ])), run: create),
      APIOperation(
        "revokePreview", "DELETE", Self.path + "/{id}", "Ends a preview link before its time.", .container(.edit),
        status: 204, answer: .nothing, run: revoke),
    ]
  }

  private func list(_ call: APICall) async throws(APIError) -> APIAnswer {
    let id = try call.inContainer()
    let previews = try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.previewTokens(of: id)
    }
    return .json(["previews": .list(previews.map { .map($0.json) })])
  }

  private func create(_ call: APICall) async throws(APIError) -> APIAnswer {
    let app = call.text("app")
    if let app, !PreviewAddress.isAppID(app) {
      throw .badRequest("app must be an app's id, such as com.example.shop")
    }
    let secret = Secret(.preview, from: context.random)
    let preview = PreviewToken(
      id: context.random.identifier(), digest: secret.digest, container: try call.inContainer(),
      version: call.integer("version").map { Int($0) }, created: call.authorship,
      expires: call.time + PreviewToken.lifetime)
    try await context.stored { () throws(WorkspaceStoreError) in try await context.store.create(preview) }
    let address = PreviewAddress(container: preview.container, token: secret.text, version: preview.parameter, app: app)
    var answer = preview.json
    answer["token"] = .string(secret.text)
    answer["link"] = .string(address.link(of: context.publicURL))
    answer["appLink"] = address.appLink.map(Value.string)
    return .json(answer)
  }

  private func revoke(_ call: APICall) async throws(APIError) -> APIAnswer {
    let id = try call.inContainer()
    try await context.stored { () throws(WorkspaceStoreError) in
      try await context.store.revokePreviewToken(call.path["id"] ?? "", of: id, by: call.authorship)
    }
    return .nothing
  }
}
