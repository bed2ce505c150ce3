import Testing

@testable import VideoAds

#if canImport(CXML2)
  @Suite struct XMLOracleTests {
    @Test("VA-320: on every well-formed document of the corpus the reader and libxml2 give the same events")
    func corpus() throws {
      guard let corpus = try VASTCorpus.find(for: "XMLOracleTests") else { return }
      var compared = 0
      for entry in corpus.entries where entry.isWellFormed {
        let bytes = try corpus.bytes(entry.file)
        let expected = try #require(XMLEvents.libxml2(bytes), "\(entry)")
        let ours = XMLEvents.ours(bytes)
        let difference = zip(ours, expected).first { $0 != $1 }
        #expect(difference == nil && ours.count == expected.count, "\(entry): \(String(describing: difference))")
        compared += 1
      }
      #expect(compared == 504)
    }
  }
#endif
