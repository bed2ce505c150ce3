import Foundation
import Testing
import WebTags

@testable import WebKitGTKHost

@Suite("Load sequence") struct LoadSequenceTests {
  private static let first = load(1, "https://one.example/")
  private static let second = load(2, "https://two.example/")

  private static func load(_ id: UInt64, _ url: String) -> LoadSequence.Load {
    LoadSequence.Load(
      id: LoadID(rawValue: id), source: .url(URL(string: url) ?? URL(fileURLWithPath: "/")))
  }

  /// A sequence in which the first load has come to its document.
  private func loaded() -> LoadSequence {
    var sequence = LoadSequence()
    _ = sequence.load(Self.first)
    _ = sequence.decide(url: "https://one.example/", isAllowed: true)
    for actions in [sequence.started(), sequence.committed(), sequence.finished(url: "https://one.example/")] {
      _ = actions
    }
    return sequence
  }

  @Test("WT-701: a load that nothing disturbs")
  func plain() {
    var sequence = LoadSequence()
    let (one, url) = (LoadID(rawValue: 1), "https://one.example/")
    #expect(sequence.load(Self.first) == [.begin(Self.first)])
    #expect(sequence.decide(url: url, isAllowed: true)?.allow == true)
    #expect(sequence.started() == [.report(one, .started)])
    #expect(
      sequence.redirected(to: "https://x.example/", isAllowed: true) == [
        .report(one, .redirected(url: "https://x.example/"))
      ])
    #expect(
      sequence.answered(status: 200, mime: nil, url: url) == [.report(one, .response(status: 200, mime: nil, url: url))]
    )
    #expect(sequence.documentID == nil)
    #expect(sequence.committed() == [.documentReplaced])
    #expect(sequence.documentID == one)
    #expect(sequence.finished(url: url) == [.report(one, .finished(url: url)), .loaded])
    #expect(sequence.finished(url: url) == [])
  }

  @Test("WT-700: a second load waits until the first has ended, and only its own signals are its own")
  func supersededAfterStart() {
    var sequence = LoadSequence()
    _ = sequence.load(Self.first)
    _ = sequence.decide(url: "https://one.example/", isAllowed: true)
    _ = sequence.started()
    #expect(
      sequence.load(Self.second) == [.report(LoadID(rawValue: 1), .failed(.superseded)), .stopLoading, .startGuard])
    #expect(sequence.committed() == [.documentReplaced])
    #expect(sequence.documentID == nil)
    #expect(sequence.failed(url: "https://one.example/", error: PageHostError(.loadFailed, "cancelled")) == [])
    #expect(sequence.finished(url: "https://one.example/") == [.begin(Self.second)])
  }

  @Test("WT-700: a load that WebKit has not begun is refused, and the second begins at once")
  func supersededBeforeStart() {
    var sequence = LoadSequence()
    _ = sequence.load(Self.first)
    _ = sequence.load(Self.second)
    let decision = sequence.decide(url: "https://one.example/", isAllowed: true)
    #expect(decision?.allow == false)
    #expect(decision?.actions == [.begin(Self.second)])
    #expect(sequence.guardFired() == [])
  }

  @Test("WT-700: a load that never ends does not hold the next one up")
  func stuck() {
    var sequence = LoadSequence()
    _ = sequence.load(Self.first)
    _ = sequence.started()
    _ = sequence.load(Self.second)
    #expect(sequence.guardFired() == [.begin(Self.second)])
  }

  @Test("WT-700: of many loads only the last begins, and each of the others is told")
  func many() {
    var sequence = LoadSequence()
    _ = sequence.load(Self.first)
    _ = sequence.load(Self.second)
    let third = Self.load(3, "https://three.example/")
    #expect(sequence.load(third) == [.report(LoadID(rawValue: 2), .failed(.superseded))])
    #expect(sequence.processTerminated() == [.begin(third)])
  }

  @Test("WT-315: stop ends a load without a word, and those who wait for it fail")
  func stopped() {
    var sequence = LoadSequence()
    #expect(sequence.stop() == [])
    _ = sequence.load(Self.first)
    _ = sequence.started()
    #expect(sequence.stop() == [.stopLoading, .startGuard, .notLoaded(.superseded)])
    #expect(sequence.finished(url: "https://one.example/") == [])
    #expect(sequence.load(Self.second) == [.begin(Self.second)])
  }

  @Test("WT-704: a navigation of the page's own is reported when WebKit has stopped it, and its end is no load's")
  func ownNavigation() {
    var sequence = loaded()
    #expect(sequence.decide(url: "https://away.example/", isAllowed: true) == nil)
    #expect(sequence.started() == [])
    #expect(sequence.answered(status: 200, mime: nil, url: "https://away.example/") == nil)
    let blocked = PageNavigation(url: "https://away.example/", kind: .navigation, frame: PageFrame(isMain: true))
    #expect(
      sequence.failed(url: "https://away.example/", error: PageHostError(.blocked, "blocked"))
        == [.report(LoadID(rawValue: 1), .navigationBlocked(blocked))])
    #expect(sequence.finished(url: "https://one.example/") == [])
    #expect(sequence.load(Self.second) == [.begin(Self.second)])
  }

  @Test("WT-704: during a load too, and the load still comes to its end")
  func ownNavigationWhileLoading() {
    var sequence = LoadSequence()
    _ = sequence.load(Self.first)
    _ = sequence.started()
    _ = sequence.committed()
    #expect(sequence.started() == [])
    #expect(sequence.failed(url: "https://away.example/", error: PageHostError(.blocked, "blocked")).count == 1)
    #expect(sequence.finished(url: "https://one.example/") == [])
    #expect(sequence.finished(url: "https://one.example/").last == .loaded)
  }

  @Test("WT-704: a navigation that a page had begun when the next load came does not fail that")
  func ownNavigationBeforeLoad() throws {
    var sequence = loaded()
    let base = try #require(URL(string: "https://two.example/"))
    let text = LoadSequence.Load(id: LoadID(rawValue: 2), source: .html("", base: base))
    _ = sequence.load(text)
    _ = sequence.started()
    #expect(sequence.failed(url: "https://away.example/", error: PageHostError(.blocked, "cancelled")) == [])
    #expect(sequence.finished(url: "https://one.example/") == [])
    #expect(sequence.started() == [.report(LoadID(rawValue: 2), .started)])
    #expect(sequence.committed() == [.documentReplaced])
    #expect(sequence.finished(url: "https://two.example/").last == .loaded)
  }

  @Test("WT-704: a page that empties itself is lost")
  func lost() {
    var sequence = loaded()
    _ = sequence.started()
    #expect(sequence.committed() == [.pageLost])
  }

  @Test("WT-303: an empty document in place of the one that was asked for is a failure")
  func restricted() {
    var sequence = LoadSequence()
    _ = sequence.load(Self.first)
    let error = PageHostError(.loadFailed, "WebKit refuses the URL")
    #expect(sequence.finished(url: "about:blank") == [.report(LoadID(rawValue: 1), .failed(error)), .notLoaded(error)])
  }

  @Test("WT-703, 704: what the policy forbids is blocked, at the start and at a redirect")
  func policy() {
    var sequence = LoadSequence()
    _ = sequence.load(Self.first)
    let error = PageHostError(.blocked, "the policy forbids the document's URL")
    let decision = sequence.decide(url: "https://one.example", isAllowed: false)
    #expect(decision?.allow == false)
    #expect(decision?.actions == [.report(LoadID(rawValue: 1), .failed(error)), .notLoaded(error)])
    _ = sequence.load(Self.second)
    _ = sequence.started()
    let actions = sequence.redirected(to: "http://evil.example/", isAllowed: false)
    #expect(actions.contains(.stopLoading))
    #expect(
      actions.first == .report(LoadID(rawValue: 2), .failed(PageHostError(.blocked, "the policy forbids the redirect")))
    )
  }
}
