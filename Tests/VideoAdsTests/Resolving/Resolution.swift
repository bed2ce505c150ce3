import Testing

@testable import VideoAds

/// Runs a resolution against canned documents, in the order of the fetches or in a shuffled one.
struct Resolution {
  var documents: [String: FetchOutcome] = [:]
  var policy = ResolutionPolicy()
  /// The outcome of a URL that is not canned.
  var missing = FetchOutcome.failed(.status(404))
  var seed: UInt64?
  private(set) var fetched: [String] = []
  private(set) var mostAtOnce = 0

  init(_ texts: [String: String] = [:]) {
    for (name, text) in texts {
      let url = "https://t.test/\(name)"
      documents[url] = .document(VASTReader.read(Array(text.utf8)), url: url)
    }
  }

  /// Resolves the document of a name.
  mutating func run(_ name: String) throws -> ResolvedResponse {
    let url = "https://t.test/\(name)"
    guard case .document(let result, _) = documents[url], case .vast(let document) = result.content else {
      throw NoDocument(name: name)
    }
    var resolver = ChainResolver(policy: policy)
    return try finish(&resolver, resolver.start(document, url: url))
  }

  mutating func finish(_ resolver: inout ChainResolver, _ first: [ChainResolver.Action]) throws -> ResolvedResponse {
    var open: [(ChainResolver.FetchID, AdFetch)] = []
    var actions = first
    while true {
      for action in actions {
        switch action {
        case .fetch(let id, let fetch): open.append((id, fetch))
        case .finish(let response):
          #expect(open.isEmpty)
          return response
        }
      }
      mostAtOnce = max(mostAtOnce, open.count)
      guard !open.isEmpty else { throw NoDocument(name: "stuck") }
      let (id, fetch) = open.remove(at: next(open.count))
      let url = try? AdURL(fetch.url, base: fetch.base).text
      fetched.append(url ?? fetch.url)
      let outcome = url.map { documents[$0] ?? missing } ?? .failed(.refused(.relative))
      actions = resolver.fetched(id, outcome)
    }
  }

  private mutating func next(_ count: Int) -> Int {
    guard let state = seed else { return 0 }
    seed = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((seed ?? 0) >> 33) % count
  }

  struct NoDocument: Error { let name: String }
}

/// Short documents for tests.
enum Markup {
  static func vast(_ ads: String...) -> String { "<VAST version='4.2'>\(ads.joined())</VAST>" }

  static func inLine(_ id: String, sequence: Int? = nil, _ more: String = "") -> String {
    "<Ad id='\(id)'\(attribute(sequence))><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Error>\(id)-error</Error>"
      + "<Impression>\(id)-imp</Impression>\(more)<Creatives><Creative id='\(id)-c'><Linear><Duration>10</Duration>"
      + "<MediaFiles><MediaFile type='video/mp4' delivery='progressive' width='1' height='1'>\(id).mp4</MediaFile>"
      + "</MediaFiles></Linear></Creative></Creatives></InLine></Ad>"
  }

  static func empty(_ id: String, sequence: Int? = nil) -> String {
    "<Ad id='\(id)'\(attribute(sequence))><InLine><Error>\(id)-error</Error></InLine></Ad>"
  }

  static func wrapper(
    _ id: String, to url: String, sequence: Int? = nil, _ attributes: String = "", _ more: String = ""
  )
    -> String
  {
    "<Ad id='\(id)'\(attribute(sequence))><Wrapper \(attributes)><AdSystem>s</AdSystem><Error>\(id)-error</Error>"
      + "<Impression>\(id)-imp</Impression><VASTAdTagURI>\(url)</VASTAdTagURI>\(more)</Wrapper></Ad>"
  }

  /// An icon without a page, from the second to the fifth second, with an image for want of one.
  static let fallbackIcon =
    "<Icons><Icon program='AdChoices' width='20' height='20' xPosition='right' yPosition='top' offset='2' duration='3'>"
    + "<StaticResource creativeType='image/png'>https://i.test/i.png</StaticResource><IconViewTracking>seen</IconViewTracking>"
    + "<IconClicks><IconClickTracking>iconClick</IconClickTracking><IconClickFallbackImages><IconClickFallbackImage "
    + "width='300' height='200'><AltText>why</AltText><StaticResource creativeType='image/png'>https://i.test/why.png"
    + "</StaticResource></IconClickFallbackImage></IconClickFallbackImages></IconClicks></Icon></Icons>"

  private static func attribute(_ sequence: Int?) -> String { sequence.map { " sequence='\($0)'" } ?? "" }
}

extension ResolvedResponse {
  var ids: [String?] { ads.map(\.ad.id) }
  /// The beacons as `code url`.
  var owed: [String] { errors.map { "\($0.code.rawValue) \($0.url)" } }
}
