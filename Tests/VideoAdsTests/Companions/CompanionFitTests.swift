import Testing

@testable import VideoAds

@Suite struct CompanionFitTests {
  private static func companion(_ id: String, _ width: Int, _ height: Int, slot: String? = nil) -> VAST.Companion {
    var companion = VAST.Companion()
    (companion.id, companion.width, companion.height, companion.adSlotID) = (id, width, height, slot)
    companion.resources = [.file(url: "https://c.test/\(id).png", type: "image/png")]
    return companion
  }

  private static func level(_ companions: VAST.Companion..., required: VAST.CompanionAds.Required = .none)
    -> VAST.CompanionAds
  {
    var level = VAST.CompanionAds()
    (level.companions, level.required) = (companions, required)
    return level
  }

  private static func fit(_ slots: [(id: String?, size: AdSize?)], _ levels: [VAST.CompanionAds]) -> CompanionFit.Result
  {
    CompanionFit(
      slots: slots.enumerated().map { CompanionFit.Slot(index: $0.offset, id: $0.element.id, size: $0.element.size) },
      renderable: RenderableResources()
    ).fit(levels)
  }

  private static let box = AdSize(width: 300, height: 250)

  @Test("Case 47 (VA-860): by slot id, by exact size, the largest for a fluid slot, each companion once")
  func matches() {
    let all = Self.level(
      Self.companion("size", 300, 250), Self.companion("slot", 1, 1, slot: "mine"), Self.companion("wide", 970, 250))
    let result = Self.fit([("mine", Self.box), (nil, Self.box), (nil, nil), (nil, nil)], [all])
    #expect(result.companions.mapValues(\.id) == [0: "slot", 1: "size", 2: "wide"] && result.code == nil)
  }

  @Test("Case 47: without a match the slot stays empty, and that is 601")
  func none() {
    let result = Self.fit([(nil, Self.box)], [Self.level(Self.companion("a", 728, 90))])
    #expect(result.companions.isEmpty && result.code == .companionDoesNotFit)
    #expect(Self.fit([], [Self.level(Self.companion("a", 728, 90))]).code == nil, "VA-864")
  }

  @Test("VA-430: the ad's own companions first, wrappers' fill what they leave empty")
  func levels() {
    let result = Self.fit(
      [(nil, Self.box), (nil, nil)],
      [
        Self.level(Self.companion("own", 300, 250)), Self.level(Self.companion("near", 300, 250)),
        Self.level(Self.companion("far", 900, 90)),
      ])
    #expect(result.companions.mapValues(\.id) == [0: "own", 1: "near"])
  }

  @Test("VA-863: required any and all are met or the ad is lost; a frame cannot be shown here: 604")
  func required() {
    let (small, box) = (Self.companion("a", 1, 1), Self.companion("b", 300, 250))
    #expect(Self.fit([(nil, Self.box)], [Self.level(small, box, required: .any)]).code == nil)
    #expect(Self.fit([(nil, Self.box)], [Self.level(small, box, required: .all)]).code == .companionRequired)
    #expect(Self.fit([], [Self.level(box, required: .any)]).code == .companionRequired)
    var page = box
    page.resources = [.frame(url: "https://c.test/")]
    #expect(Self.fit([(nil, Self.box)], [Self.level(page)]).code == .companionUnsupported)
  }

  @Test("VA-860, VA-1404: images before markup before frames; pages only where they can be shown")
  func resources() {
    let all: [VAST.Resource] = [
      .frame(url: "https://c.test/"), .html("<b>"), .file(url: "https://c.test/a.png", type: nil),
    ]
    #expect(RenderableResources(pages: true).best(of: all) == all[2])
    #expect(RenderableResources(pages: true).best(of: Array(all.prefix(2))) == all[1])
    #expect(RenderableResources().best(of: Array(all.prefix(2))) == nil)
    for url in ["file:///a.png", "javascript:a.png", "data:image/png,a"] {
      #expect(RenderableResources(pages: true).best(of: [.file(url: url, type: "image/png"), .frame(url: url)]) == nil)
    }
  }
}
