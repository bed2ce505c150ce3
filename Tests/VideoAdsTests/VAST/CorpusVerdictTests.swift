import TestSupport
import Testing

@testable import VideoAds

/// Every document of the corpus gets the verdict that its manifest, made with another reader, or the rules demand.
@Suite struct CorpusVerdictTests {
  @Test("VA-1702: every well-formed document gives the ads of its manifest, or the code of its root and version")
  func wellFormed() throws {
    guard let corpus = try VASTCorpus.find(for: "CorpusVerdictTests") else { return }
    var checked = 0
    for entry in corpus.entries where entry.isWellFormed {
      let verdict = Verdict(VASTReader.read(try corpus.bytes(entry.file)))
      #expect(verdict == Self.expected(entry), "\(entry)")
      checked += 1
    }
    #expect(checked == 504)
  }

  @Test("VA-1702: every malformed document is kept or dropped as the rules say")
  func malformed() throws {
    guard let corpus = try VASTCorpus.find(for: "CorpusVerdictTests") else { return }
    var checked = 0
    for entry in corpus.entries where !entry.isWellFormed {
      let name = entry.file.split(separator: "/").last.map(String.init) ?? ""
      #expect(Verdict(VASTReader.read(try corpus.bytes(entry.file))) == Self.malformedVerdicts[name], "\(entry)")
      checked += 1
    }
    #expect(checked == 18)
  }

  @Test("VA-1702: the small documents of reported problems are read")
  func reproductions() throws {
    guard let corpus = try VASTCorpus.find(for: "CorpusVerdictTests") else { return }
    let files = try corpus.corpus.files(in: "vast/repro")
    for file in files {
      let result = VASTReader.read(try corpus.bytes("repro/\(file)"))
      switch result.content {
      case .vast, .vmap: continue
      case .failure(let failure): #expect(file == "issue16.xml" && failure.code == .unsupportedVersion)
      case .playlistFailure: Issue.record("\(file)")
      }
    }
    #expect(files.count == 19)
  }

  /// Ads that can be used and ads that are lost; or the code of a document that fails.
  enum Verdict: Equatable {
    case vast(ads: Int, wrappers: Int, lost: Int)
    case vmap(ads: Int)
    case failure(Int)

    init(_ result: VASTReadResult) {
      switch result.content {
      case .vast(let document): self = Self.count(document.ads)
      case .vmap(let playlist):
        self = .vmap(
          ads: playlist.breaks.reduce(0) { sum, item in
            if case .document(let document) = item.source?.content { sum + document.ads.count } else { sum }
          })
      case .failure(let failure): self = .failure(failure.code.rawValue)
      case .playlistFailure(let failure): self = .failure(failure.code.rawValue)
      }
    }

    private static func count(_ ads: [VAST.Ad]) -> Verdict {
      var wrappers = 0
      var lost = 0
      for ad in ads {
        if case .wrapper = ad.content { wrappers += 1 }
        if case .unusable = ad.content { lost += 1 }
      }
      return .vast(ads: ads.count, wrappers: wrappers, lost: lost)
    }
  }

  private static func expected(_ entry: VASTCorpus.Entry) -> Verdict? {
    let ads = Int(entry.facts["ads"] ?? "") ?? -1
    let wrappers = Int(entry.facts["wrappers"] ?? "") ?? -1
    let name = entry.file.split(separator: "/").last.map(String.init) ?? ""
    if let known = odd[name] { return known }
    switch entry.facts["root"] {
    case "VAST":
      let major = entry.facts["version"].flatMap { $0.split(separator: ".").first }
      return major == "1" || major == "5" ? .failure(102) : .vast(ads: ads, wrappers: wrappers, lost: 0)
    case "VMAP", "vmap:VMAP": return .vmap(ads: ads)
    case "VideoAdServingTemplate": return .failure(102)
    default: return .failure(101)
    }
  }

  /// Ads that the manifest counts and VA-324 drops: without InLine and Wrapper, or a wrapper without a URL.
  private static let odd: [String: Verdict] = [
    "VASTClient.spec.js.004.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "VASTClient.spec.js.008.xml": .vast(ads: 1, wrappers: 0, lost: 0),
    "VASTClient.spec.js.010.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "VASTClient.spec.js.011.xml": .vast(ads: 2, wrappers: 1, lost: 1),
    "invalid_document_with_missing_ad_type.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "00.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "vast.parseDocument.js.000.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "wrapper_missing_values.js.000.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "incorrect-vmap.xml": .failure(101),
    "vastTrackers_spec.js.000.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "vastTrackers_spec.js.001.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "vastTrackers_spec.js.005.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "adagioBidAdapter_spec.js.000.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "ampliffyBidAdapter_spec.js.001.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "billow_rtb25BidAdapter_spec.js.000.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "gridBidAdapter_spec.js.000.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "gridBidAdapter_spec.js.001.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "gridBidAdapter_spec.js.002.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "pwbidBidAdapter_spec.js.001.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "revantageBidAdapter_spec.js.000.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "stackadaptBidAdapter_spec.js.000.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "stackadaptBidAdapter_spec.js.001.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "vast-invalid.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "vast_wrapper_with-blank-ad.xml": .vast(ads: 1, wrappers: 0, lost: 1),
  ]

  private static let malformedVerdicts: [String: Verdict] = [
    // A comment before the declaration.
    "document_with_one_wrapper_ad.xml": .vast(ads: 1, wrappers: 1, lost: 0),
    // JSON.
    "invalid-xmlfile.xml": .failure(100),
    // Truncated without a complete break.
    "corrupt_vmap.xml": .failure(1_002),
    // An end tag is missing outside of any ad.
    "xml_codec_test.go.001.xml": .vast(ads: 0, wrappers: 0, lost: 0),
    // Escaped with backslashes.
    "localCacheGam.html.000.xml": .failure(100),
    "bidMarkedAsUsed.html.000.xml": .failure(100),
    "adnuntiusBidAdapter_spec.js.000.xml": .failure(100),
    // Bare ampersands.
    "advertisingBidAdapter_spec.js.000.xml": .vast(ads: 1, wrappers: 1, lost: 0),
    "advertisingBidAdapter_spec.js.001.xml": .vast(ads: 1, wrappers: 1, lost: 0),
    "kimberliteBidAdapter_spec.js.000.xml": .vast(ads: 0, wrappers: 0, lost: 0),
    // End tags are missing inside the ad.
    "bliinkBidAdapter_spec.js.000.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "lemmaDigitalBidAdapter_spec.js.000.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    "pwbidBidAdapter_spec.js.000.xml": .vast(ads: 1, wrappers: 0, lost: 1),
    // An attribute that never ends.
    "gamAdServerVideo_spec.js.001.xml": .failure(100),
    // Attributes without quotes, or none.
    "insticatorBidAdapter_spec.js.000.xml": .vast(ads: 0, wrappers: 0, lost: 0),
    "ozoneBidAdapter_spec.js.000.xml": .vast(ads: 0, wrappers: 0, lost: 0),
    // An end tag spelled in another case, and bare ampersands.
    "operaadsBidAdapter_spec.js.000.xml": .vast(ads: 1, wrappers: 0, lost: 0),
    // A CDATA section that never ends.
    "ucfunnelBidAdapter_spec.js.000.xml": .failure(100),
  ]
}
