import Hits
import Testing

@Suite struct ConsentTests {
  @Test(
    "HQ-220: the purposes are Google's, in its spelling",
    arguments: [
      (ConsentPurpose.analyticsStorage, "analytics_storage"), (.adStorage, "ad_storage"), (.adUserData, "ad_user_data"),
      (.adPersonalization, "ad_personalization"), (.functionality, "functionality_storage"),
      (.personalization, "personalization_storage"),
    ])
  func names(purpose: ConsentPurpose, name: String) {
    #expect(purpose.wireName == name)
    #expect(ConsentPurpose.allCases.count == 6)
  }

  @Test("HQ-220: everything is granted unless the app says otherwise")
  func standard() {
    #expect(ConsentPurpose.allCases.allSatisfy { ConsentSnapshot.granted[$0] == .granted })
    let snapshot = ConsentSnapshot([.adStorage: .denied, .functionality: .pending])
    #expect(snapshot[.adStorage] == .denied)
    #expect(snapshot[.functionality] == .pending)
    #expect(snapshot[.analyticsStorage] == .granted)
    #expect(snapshot.purposes(in: .denied) == .adStorage)
  }

  @Test(
    "HQ-221, HQ-222: all needed purposes must be granted; one denied is denied, else pending; none needed always passes",
    arguments: [
      ([], .granted), ([.adUserData], .granted), ([.analyticsStorage], .pending), ([.adStorage], .denied),
      ([.analyticsStorage, .adStorage], .denied), ([.adUserData, .analyticsStorage], .pending),
      ([.adUserData, .adPersonalization], .granted),
    ] as [([ConsentPurpose], ConsentState)])
  func together(purposes: [ConsentPurpose], state: ConsentState) {
    let snapshot = ConsentSnapshot([.analyticsStorage: .pending, .adStorage: .denied])
    #expect(snapshot.state(of: purposes.reduce(into: []) { $0.insert(ConsentPurposes($1)) }) == state)
  }

  @Test("a state's name reads back", arguments: [ConsentState.granted, .denied, .pending])
  func wireNames(state: ConsentState) {
    #expect(ConsentState(wireName: state.wireName) == state)
    #expect(ConsentState(wireName: "yes") == nil)
  }
}
