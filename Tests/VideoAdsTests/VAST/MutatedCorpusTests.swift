import Hits
import TestSupport
import Testing

@testable import VideoAds

@Suite struct MutatedCorpusTests {
  @Test("VA-331, VA-1406: damaged documents of the corpus give a result, and what is resolved of them ends")
  func damage() throws {
    guard let corpus = try VASTCorpus.find(for: "MutatedCorpusTests") else { return }
    let random = SeededRandomSource(seed: 5)
    var checked = 0
    for entry in corpus.entries {
      let whole = try corpus.bytes(entry.file)
      guard !whole.isEmpty, whole.count < 20_000 else { continue }
      for _ in 0..<2 {
        let result = VASTReader.read(Self.mutated(whole, random))
        #expect(result.diagnostics.count <= 201)
        if case .vast(let document) = result.content { Self.resolve(document) }
        checked += 1
      }
    }
    #expect(checked > 900)
  }

  private static func mutated(_ whole: [UInt8], _ random: SeededRandomSource) -> [UInt8] {
    var bytes = whole
    for _ in 0..<(1 + random.next() % 8) {
      let at = Int(random.next() % UInt64(bytes.count))
      switch random.next() % 5 {
      case 0: bytes[at] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes[at] = Array("<>/&\"'=![]?\\".utf8)[Int(random.next() % 12)]
      case 2: bytes.removeSubrange(at..<min(bytes.count, at + Int(random.next() % 40)))
      case 3:
        bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + 60)], at: Int(random.next() % UInt64(bytes.count)))
      default: bytes.removeLast(min(bytes.count - 1, Int(random.next() % 200)))
      }
      if bytes.isEmpty { bytes = [UInt8(ascii: "<")] }
    }
    return bytes
  }

  /// Answers every fetch with the document itself: chains end in loops or at their limit.
  private static func resolve(_ document: VAST.Document) {
    var resolver = ChainResolver(policy: ResolutionPolicy())
    var actions = resolver.start(document, url: "https://t.test/")
    var answers = 0
    while let action = actions.first, answers < 200 {
      actions.removeFirst()
      guard case .fetch(let id, _) = action else { return }
      actions += resolver.fetched(
        id, .document(VASTReadResult(content: .vast(document), diagnostics: []), url: "https://t.test/"))
      answers += 1
    }
  }
}
