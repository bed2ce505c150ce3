import Authoring
import Hits
import TagManager
import Testing

@testable import Console

@Suite("Draft cache") struct DraftCacheTests {
  private static func draft(_ id: String, _ revision: Int64, bytes: Int = 10) -> Draft {
    Draft(
      container: ContainerID(id), revision: revision, text: [UInt8](repeating: 32, count: bytes),
      saved: Authorship(.server, at: 1))
  }

  private static func workspace(_ name: String) -> Workspace { Workspace(tags: [Tag(fields: ["name": .string(name)])]) }

  @Test("a workspace is given for its revision alone")
  func revisions() {
    let cache = DraftCache(limit: 100)
    cache.keep(Self.workspace("a"), of: Self.draft("A", 1))
    #expect(cache.workspace(of: Self.draft("A", 1)) == Self.workspace("a"))
    #expect(cache.workspace(of: Self.draft("A", 2)) == nil)
    #expect(cache.workspace(of: Self.draft("B", 1)) == nil)
    cache.keep(Self.workspace("b"), of: Self.draft("A", 2))
    #expect(cache.workspace(of: Self.draft("A", 1)) == nil)
    #expect(cache.workspace(of: Self.draft("A", 2)) == Self.workspace("b"))
  }

  @Test("beyond the limit the one goes that was used longest ago; one that is too large is not kept")
  func limit() {
    let cache = DraftCache(limit: 100)
    for id in ["A", "B"] { cache.keep(Self.workspace(id), of: Self.draft(id, 1, bytes: 40)) }
    _ = cache.workspace(of: Self.draft("A", 1))
    cache.keep(Self.workspace("C"), of: Self.draft("C", 1, bytes: 40))
    #expect(cache.workspace(of: Self.draft("A", 1)) != nil)
    #expect(cache.workspace(of: Self.draft("B", 1)) == nil)
    #expect(cache.workspace(of: Self.draft("C", 1)) != nil)
    cache.keep(Self.workspace("D"), of: Self.draft("D", 1, bytes: 101))
    #expect(cache.workspace(of: Self.draft("D", 1)) == nil)
  }
}
