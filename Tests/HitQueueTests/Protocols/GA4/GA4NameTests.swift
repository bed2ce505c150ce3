import Testing

@testable import HitQueue

@Suite struct GA4NameTests {
  @Test(
    "HQ-636: names made of event actions",
    arguments: [
      ("Start Pressed!", "start_pressed"), ("2x", "e_2x"), ("first_open", "tw_first_open"), ("", "event"),
      ("!!!", "event"), ("___", "event"), ("a_!b", "a__b"), ("Mở & chạy", "m_ch_y"), ("ga_x", "tw_ga_x"),
      ("_firebase", "firebase"), ("Firebase_x", "tw_firebase_x"), ("ERROR", "tw_error"), ("gtag.x", "gtag_x"),
      ("a b", "a_b"), (String(repeating: "a", count: 41), String(repeating: "a", count: 40)),
      ("google_" + String(repeating: "a", count: 40), "tw_google_" + String(repeating: "a", count: 30)),
    ])
  func actions(text: String, name: String) { #expect(GA4Name.event(ofAction: text, isApp: true) == name) }

  @Test("HQ-634: a well-formed name keeps its case; names of app streams are reserved elsewhere")
  func events() {
    #expect(GA4Name.event("LevelUp", isApp: true) == "LevelUp")
    #expect(GA4Name.event("Level Up", isApp: true) == "level_up")
    for name in ["screen_view", "ad_impression"] {
      #expect(GA4Name.event(name, isApp: true) == name)
      #expect(GA4Name.event(name, isApp: false) == "tw_" + name)
    }
    #expect(GA4Name.event("Session_Start", isApp: true) == "tw_Session_Start")
  }
}
