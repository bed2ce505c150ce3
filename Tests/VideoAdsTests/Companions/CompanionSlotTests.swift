import Testing

@testable import VideoAds

@Suite @MainActor struct CompanionSlotTests {
  @MainActor
  private final class SlotListener: CompanionSlotDelegate {
    var log: [String] = []

    func companionSlot(_ slot: CompanionSlot, filled: Bool) { log.append("filled \(filled)") }
    func companionSlotWasClicked(_ slot: CompanionSlot) { log.append("clicked") }
  }

  @Test(
    "VA-861, VA-862: a companion that stays when its ad is over can be clicked, beside another ad and when all are over"
  )
  func staying() async throws {
    let companions = """
      <Creative><CompanionAds><Companion width='300' height='250'><StaticResource creativeType='image/png'>
      https://c.test/c.png</StaticResource><CompanionClickThrough>https://c.test/page</CompanionClickThrough>
      <CompanionClickTracking>https://t.test/cc</CompanionClickTracking></Companion></CompanionAds></Creative></Creatives>
      """
    let first = Markup.full("a", sequence: 1).replacing("</Creatives>", with: companions)
    let fixture = AdsFixture(["a": Markup.vast(first, Markup.full("b", sequence: 2))])
    let slot = CompanionSlot(size: AdSize(width: 300, height: 250))
    let container = AdDisplayContainer(surface: SurfaceID("v"), companionSlots: [slot])
    let manager = try await fixture.start("a", container: container)
    await fixture.run(manager, seconds: 12)
    #expect(manager.currentAd?.id == "b" && slot.companion != nil)
    slot.click()
    #expect(fixture.links.opened == ["https://c.test/page"] && fixture.beacons.filter { $0 == "cc" }.count == 1)
    fixture.links.close?()
    await fixture.run(manager, seconds: 12)
    slot.click()
    #expect(fixture.links.opened.count == 2 && fixture.beacons.filter { $0 == "cc" }.count == 2)
    manager.destroy()
    #expect(slot.companion == nil)
    slot.click()
    #expect(fixture.links.opened.count == 2)
  }

  @Test("Case 47 (VA-861, VA-862): slots hear whether they were filled, and a click opens the companion's page")
  func slots() async throws {
    let companions = """
      <Creative><CompanionAds><Companion id='c' width='300' height='250'><StaticResource creativeType='image/png'>
      https://c.test/c.png</StaticResource><CompanionClickThrough>https://c.test/page</CompanionClickThrough>
      <CompanionClickTracking>https://t.test/cc</CompanionClickTracking></Companion></CompanionAds></Creative></Creatives>
      """
    let document = Markup.vast(Markup.full("a").replacing("</Creatives>", with: companions))
    let fixture = AdsFixture(["a": document])
    let slots = [
      CompanionSlot(size: AdSize(width: 300, height: 250)), CompanionSlot(size: AdSize(width: 1, height: 1)),
    ]
    let listeners = slots.map { slot in
      let listener = SlotListener()
      slot.delegate = listener
      return listener
    }
    let container = AdDisplayContainer(surface: SurfaceID("v"), companionSlots: slots)
    let manager = try await fixture.start("a", container: container)
    await fixture.run(manager, seconds: 1)
    #expect(listeners.map(\.log) == [["filled true"], ["filled false"]] && slots[0].companion?.id == "c")
    slots[0].click()
    #expect(listeners[0].log == ["filled true", "clicked"] && fixture.links.opened == ["https://c.test/page"])
    #expect(fixture.beacons.contains("cc"))
    manager.destroy()
    #expect(slots[0].companion == nil)
  }
}
