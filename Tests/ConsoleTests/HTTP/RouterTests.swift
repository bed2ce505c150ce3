import Hits
import Testing

@testable import Console

@Suite("Router") struct RouterTests {
  private static let router = Router(
    ["/a/{id}", "/a/{id}/b", "/a/fixed", "/a/{id}/{other}", "/"].map { path in
      Route(
        path,
        [
          "GET": { request in
            let found = request.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return .text("\(path) \(found.joined(separator: " "))")
          }
        ])
    })

  @Test(
    "a name in a path stands for one segment, which arrives decoded; what is written out goes first",
    arguments: [
      ("/a/1", "/a/{id} id=1"), ("/a/fixed", "/a/fixed "), ("/a/1/b", "/a/{id}/b id=1"),
      ("/a/1/c", "/a/{id}/{other} id=1 other=c"), ("/a/a%20b%2Fc", "/a/{id} id=a b/c"), ("/", "/ "), ("/a/", nil),
      ("/a", nil), ("/a//b", nil), ("/a/1/b/", nil), ("/a/%zz", nil), ("/a/%ff", nil), ("a/1", nil), ("", nil),
    ] as [(String, String?)])
  func paths(path: String, answer: String?) async {
    switch Self.router.decide(method: "GET", path: path, headers: [:]) {
    case .answer(let response):
      #expect(answer == nil)
      #expect(response.status == 404)
    case .handle(_, let handler):
      let response = await handler(ServerRequest(method: "GET", path: path))
      #expect(response.text == answer)
    }
  }
}
