import Foundation
import Testing

@testable import VideoAds

@Suite struct AdScheduleTests {
  private static func schedule(_ breaks: String...) throws -> AdSchedule {
    let text = "<VMAP version='1.0'>\(breaks.joined())</VMAP>"
    guard case .vmap(let playlist) = VASTReader.read(Array(text.utf8)).content else { throw NoPlaylist() }
    return AdSchedule(playlist)
  }

  private static func item(_ offset: String, _ more: String = "", id: String = "", _ content: String = "") -> String {
    "<AdBreak timeOffset='\(offset)' breakId='\(id)' \(more)><AdSource><AdTagURI>https://a.test/\(id)</AdTagURI></AdSource>"
      + "\(content)</AdBreak>"
  }

  private func place(_ schedule: inout AdSchedule, duration: Int64, opportunities: [Int64]) -> Bool {
    schedule.place(duration: duration, opportunities: opportunities)
  }

  private struct NoPlaylist: Error {}

  private static func ids(_ schedule: AdSchedule) -> [[String]] {
    schedule.breaks.map { $0.sources.map { $0.adBreak.id ?? "" } }
  }

  @Test("VA-503, VA-512: breaks are sorted, those of one time are one, in the playlist's order")
  func merging() throws {
    let schedule = try Self.schedule(
      Self.item("end", id: "p1"), Self.item("00:00:15.000", id: "m2"), Self.item("start", id: "a"),
      Self.item("00:00:05", id: "m1"), Self.item("00:00:15", id: "m3"), Self.item("0%", id: "b"),
      Self.item("100%", id: "p2"), Self.item("15", id: "m4"))
    #expect(Self.ids(schedule) == [["a", "b"], ["m1"], ["m2", "m3", "m4"], ["p1", "p2"]])
    #expect(schedule.cuePoints == [0, 5, 15, -1], "VA-520")
    #expect(schedule.breaks.map { schedule.podIndex(of: $0.id) } == [0, 1, 2, -1], "VA-521")
    #expect(schedule.breaks.allSatisfy { $0.state == .unfetched })
  }

  @Test("VA-501: a break without a readable time is left out with 1000 or 1002 to its error trackers")
  func rejections() throws {
    let tracking =
      "<TrackingEvents><Tracking event='error'>e</Tracking><Tracking event='breakStart'>s</Tracking></TrackingEvents>"
    let schedule = try Self.schedule(
      Self.item("", id: "x", tracking), Self.item("never", id: "y", tracking), Self.item("start", id: "z"))
    #expect(Self.ids(schedule) == [["z"]])
    #expect(schedule.rejections.map(\.code) == [.invalidStructure, .malformed])
    #expect(schedule.rejections.map(\.urls) == [["e"], ["e"]] && schedule.rejections.map(\.breakID) == ["x", "y"])
  }

  @Test(
    "VA-502: percents and opportunities are placed when duration and opportunities are known, and anew when it changes")
  func placing() throws {
    var schedule = try Self.schedule(
      Self.item("50%", id: "half"), Self.item("#2", id: "second"), Self.item("#9", id: "ninth"),
      Self.item("00:02:00", id: "late"), Self.item("00:00:30", id: "thirty"))
    #expect(schedule.cuePoints == [30, 120])
    #expect(schedule.breaks.filter { $0.state == .unplaced }.count == 3)
    #expect(place(&schedule, duration: 60_000, opportunities: [10_000, 20_000]))
    #expect(Self.ids(schedule) == [["second"], ["half", "thirty"], ["ninth"], ["late"]])
    #expect(schedule.breaks.map(\.state) == [.unfetched, .unfetched, .dropped, .dropped])
    #expect(schedule.cuePoints == [20, 30])
    #expect(!place(&schedule, duration: 60_000, opportunities: [10_000, 20_000]))
    #expect(place(&schedule, duration: 90_000, opportunities: [10_000, 20_000]))
    #expect(schedule.cuePoints == [20, 30, 45])
    let thirty = try #require(schedule.breaks.first { $0.time == .midroll(30_000) })
    _ = schedule.set(.fetching, of: thirty.id)
    _ = schedule.place(duration: 60_000, opportunities: [10_000, 20_000])
    #expect(schedule.breaks.first { $0.id == thirty.id }?.state == .fetching)
  }

  @Test("VA-540: a break repeats while there is content, and 500 times at most without an end")
  func repetition() throws {
    var schedule = try Self.schedule(
      Self.item("start", "repeatAfter='00:00:05'", id: "a"), Self.item("00:00:10", id: "b"))
    #expect(schedule.breaks.flatMap(\.sources).count == 500)
    #expect(place(&schedule, duration: 16_000, opportunities: []))
    #expect(schedule.cuePoints == [0, 5, 10, 15])
    #expect(Self.ids(schedule).prefix(4) == [["a"], ["a"], ["a", "b"], ["a"]])
    #expect(schedule.breaks.prefix(2).map(\.id.repetition) == [0, 1])
  }

  @Test("VA-540, VA-541: the repetitions of a peer's fixtures, and none for its bad inputs")
  func repetitionFixtures() throws {
    guard let corpus = try VASTCorpus.find(for: "AdScheduleTests") else { return }
    let folder = "ooyala+html5-ad-plugins/test/unit-test-helpers/mock_responses"
    for (name, repeats) in [
      ("vmap_inline_repeatad", true), ("vmap_inline_repeatad_bad_input1", false),
      ("vmap_inline_repeatad_bad_input2", false),
    ] {
      guard case .vmap(let playlist) = VASTReader.read(try corpus.bytes("\(folder)/\(name).xml")).content else {
        return #expect(Bool(false))
      }
      var schedule = AdSchedule(playlist)
      _ = schedule.place(duration: 20_000, opportunities: [])
      let repetitions = schedule.breaks.flatMap(\.sources).filter { $0.id.repetition > 0 }
      #expect(!repetitions.isEmpty == repeats)
      if repeats { #expect(schedule.cuePoints.prefix(5) == [0, 5, 10, 15, 20]) }
    }
  }

  @Test("VA-504, VA-505: a break that can have no ad says why")
  func unplayable() throws {
    func code(_ text: String, allowNonLinear: Bool = true) throws -> VMAPErrorCode? {
      try Self.schedule(text).breaks.first?.sources.first?.rejection(allowNonLinear: allowNonLinear)
    }
    func source(_ content: String, _ types: String = "linear") -> String {
      "<AdBreak timeOffset='start' breakType='\(types)'><AdSource>\(content)</AdSource></AdBreak>"
    }
    let tag = "<AdTagURI>u</AdTagURI>"
    #expect(try code(source(tag)) == nil)
    #expect(try code(source(tag, "Display, LINEAR")) == nil)
    #expect(try code(source(tag, "display")) == .unsupportedBreakType)
    #expect(try code(source(tag, "nonlinear")) == nil)
    #expect(try code(source(tag, "nonlinear"), allowNonLinear: false) == .unsupportedBreakType)
    for template in ["vast", "VAST1", "vast2", "vast3", "Vast4"] {
      #expect(try code(source("<AdTagURI templateType='\(template)'>u</AdTagURI>")) == nil)
    }
    #expect(try code(source("<AdTagURI templateType='vast5'>u</AdTagURI>")) == .unsupportedTemplate)
    #expect(try code(source("<CustomAdData templateType='vast3'>x</CustomAdData>")) == .unsupportedTemplate)
    #expect(try code(source("<VASTAdData><x/></VASTAdData>")) == .unreadableData)
    #expect(try code(source("")) == .invalidStructure)
    #expect(try code("<AdBreak timeOffset='start'/>") == nil)
  }

  @Test("VA-507, VA-508: GAM's parameters are for information, bumpers are known")
  func gam() throws {
    let tag =
      "https://pubads.test/x?pod=2&amp;ppos=1&amp;vpos=midroll&amp;mridx=3&amp;cue=15000&amp;lip=true"
      + "&amp;min_ad_duration=1&amp;max_ad_duration=2&amp;pmnd=3&amp;pmxd=4&amp;pmad=5"
    func source(_ url: String, _ more: String = "") throws -> BreakSource {
      let text = "<AdBreak timeOffset='start'><AdSource><AdTagURI>\(url)</AdTagURI></AdSource>\(more)</AdBreak>"
      return try #require(try Self.schedule(text).breaks.first?.sources.first)
    }
    let gam = try #require(try source(tag).gam)
    #expect(
      gam.pod == 2 && gam.ppos == 1 && gam.vpos == "midroll" && gam.mridx == 3 && gam.cue == 15_000 && gam.lip == true)
    #expect(gam.minAdDuration == 1 && gam.maxAdDuration == 2 && gam.pmnd == 3 && gam.pmxd == 4 && gam.pmad == 5)
    #expect(try !source(tag).isBumper && source("https://a.test/").gam == nil)
    let bumper = try source("https://a.test/?bumper=before")
    #expect(bumper.isBumper && bumper.isSuppressedAlone)
    let element = "<Extensions><Extension type='bumper' suppress_bumper='false'/></Extensions>"
    let kept = try source("https://a.test/", element)
    #expect(kept.isBumper && !kept.isSuppressedAlone)
  }

  @Test("VA-513: only the legal transitions of a break happen")
  func breakStates() {
    let legal: [(BreakState, BreakState)] = [
      (.unplaced, .unfetched), (.unplaced, .dropped), (.unfetched, .fetching), (.fetching, .available),
      (.fetching, .failed),
      (.unfetched, .skipped), (.fetching, .skipped), (.available, .skipped), (.available, .playing),
      (.available, .failed),
      (.playing, .played), (.available, .discarded), (.playing, .discarded),
      // Placing anew (VA-502).
      (.unfetched, .unplaced), (.unfetched, .dropped),
      // Fetching again what waited too long (VA-217).
      (.available, .fetching),
    ]
    let all: [BreakState] = [
      .unplaced, .unfetched, .fetching, .available, .playing, .played, .failed, .skipped, .discarded, .dropped,
    ]
    for from in all {
      for to in all {
        #expect(from.allows(to) == legal.contains { $0 == (from, to) }, "\(from) to \(to)")
        if from.isFinal { #expect(!from.allows(to)) }
      }
    }
  }

  @Test("VA-514: an ad ends once, and a schedule keeps it when it is stored")
  func adStates() throws {
    var schedule = AdSchedule.Builder().preroll("https://a.test/p").build()
    let id = try #require(schedule.breaks.first?.id)
    schedule.setAdCount(2, of: id)
    let changes: [(AdState, Int, Bool)] = [
      (.playing, 0, true), (.played, 0, true), (.failed, 0, false), (.played, 1, false), (.playing, 2, false),
    ]
    for (state, ad, isLegal) in changes {
      let isDone = schedule.set(state, ofAd: ad, of: id)
      #expect(isDone == isLegal)
    }
    #expect(schedule.adState(break: 0, index: 0) == .played && schedule.adState(break: 0, index: 1) == .available)
    #expect(schedule.adState(break: 0, index: 2) == nil && schedule.adState(break: 1, index: 0) == nil)
    let stored = try JSONDecoder().decode(AdSchedule.self, from: try JSONEncoder().encode(schedule))
    #expect(stored == schedule)
  }

  @Test("VA-512: an app builds a schedule")
  func builder() {
    var schedule = AdSchedule.Builder().preroll("a").midroll(at: 600, "b").midroll(every: 900, "c").postroll("d")
      .build()
    _ = schedule.place(duration: 2_000_000, opportunities: [])
    #expect(schedule.cuePoints == [0, 600, 900, 1_800, -1])
    #expect(AdSchedule.Builder().midroll(every: 0.5, "c").build().breaks.isEmpty)
    #expect(AdSchedule.Builder().midroll(at: .nan, "c").build().cuePoints == [0])
  }

  /// Pre-roll, mid-rolls at 10 and 20 s: where content starts, from when ads play, what plays first, what is skipped.
  @Test(
    "VA-536, VA-537, VA-1702: where content starts decides what plays first",
    arguments: [
      (0, nil, 0, []), (5_000, nil, 0, []), (10_000, nil, 1, [0]), (15_000, nil, 1, [0]), (20_000, nil, 2, [0, 1]),
      (45_000, nil, 2, [0, 1]), (0, 0, nil, [0]), (5_000, 5_000, nil, [0]), (10_000, 9_999, 1, [0]),
      (10_000, 10_000, nil, [0, 1]), (15_000, 15_000, nil, [0, 1]), (45_000, 45_000, nil, [0, 1, 2]),
    ] as [(Int64, Int64?, Int?, [Int])])
  func starts(_ position: Int64, _ after: Int64?, _ first: Int?, _ skipped: [Int]) throws {
    var schedule = AdSchedule.Builder().preroll("a").midroll(at: 10, "b").midroll(at: 20, "c").build()
    let plays = schedule.start(at: position, playAdsAfter: after)
    #expect(plays == first.map { schedule.breaks[$0].id })
    #expect(schedule.breaks.indices.filter { schedule.breaks[$0].state == .skipped } == skipped)
  }

  @Test("VA-534, VA-535: a seek plays the last break passed, none, or all; backwards and played ones never")
  func seeks() throws {
    var schedule = AdSchedule.Builder().midroll(at: 10, "a").midroll(at: 20, "b").midroll(at: 30, "c").build()
    let ids = schedule.breaks.map(\.id)
    #expect(schedule.breaks(soughtOver: 5_000...31_000, policy: .lastBreak) == [ids[2]])
    #expect(schedule.breaks(soughtOver: 5_000...31_000, policy: .none).isEmpty)
    #expect(schedule.breaks(soughtOver: 5_000...31_000, policy: .all) == ids)
    #expect(schedule.breaks(soughtOver: 10_000...20_000, policy: .all) == [ids[1]])
    for state in [BreakState.fetching, .available, .playing, .played] { _ = schedule.set(state, of: ids[2]) }
    #expect(schedule.breaks(soughtOver: 5_000...31_000, policy: .lastBreak) == [ids[1]])
  }

  @Test("VA-512, VA-513: a schedule that was kept finds its breaks and their states as before")
  func kept() throws {
    var schedule = try Self.schedule(
      Self.item("start", id: "a"), Self.item("00:00:05", id: "b"), Self.item("00:00:09", id: "c"),
      Self.item("end", id: "d"), Self.item("50%", id: "e"))
    _ = schedule.set(.skipped, of: schedule.breaks[1].id)
    let data = try JSONEncoder().encode(schedule)
    var copy = try JSONDecoder().decode(AdSchedule.self, from: data)
    #expect(copy == schedule && copy.hashValue == schedule.hashValue && copy.postroll?.id == schedule.breaks[3].id)
    #expect(copy.breaks.map { copy.place(of: $0.id) } == [0, 1, 2, 3, 4])
    #expect(copy.breaks(after: 0, upTo: 9_000).map(\.time) == [.midroll(5_000), .midroll(9_000)])
    #expect(copy.breaks(after: 5_000, upTo: 8_999).isEmpty && copy.breaks(after: 9_000, upTo: 0).isEmpty)
    #expect(copy.place(after: -1) == 0 && copy.place(after: .max) == 3)
    for id in copy.breaks.map(\.id) where copy.isOpen {
      for state in [BreakState.skipped, .dropped] { _ = copy.set(state, of: id) }
    }
    #expect(!copy.isOpen && schedule.isOpen && copy != schedule)
  }
}
