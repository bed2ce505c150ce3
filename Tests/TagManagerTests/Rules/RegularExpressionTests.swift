import Foundation
import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite("Regular expressions")
struct RegularExpressionTests {
  private static let patterns = [
    "", "abc", "^abc", "abc$", "^abc$", "^$", "$", "^", "a|b", "^a|b$", "a|", "abc|^x|y$", "a\\.b", "a.b", "ab+c",
    "ab*c",
    "ab?c", "a{2}b", "ab{0,1}", "ab{1,}c+?", "a++b", "[abc]x", "[^a]b", "[a-c\\]]d", "(ab)c", "(a|b)c", "(?:a|b)c",
    "(?i)ABC", "a(?=b)", "x(?!y)abc", "\\babc\\b", "\\d+abc", "^\\d+$", "a^b", "a$b", "$a", "^*", "^?abc", "a\\|b",
    "\\^a",
    "[[:alpha:]]b", "[]a]b", "\\Qa.b\\E", "\\x61bc", "a#b", "a b", "é", "éa+", "e\\u0301", "(a)\\1", ".*abc", "abc.*",
    "a.*b.*c", "^a.*c$", "(a(b|c))+d", "\\n$", "a\\n", "c\\s*$", "ſ", "K", "ss", "ß", "a[b|c]d", "a(b|c", "a]", "{",
    "a{",
    "(?<n>a)bc", "(?:(?i)a)bc", "(?x) a b c", "a\\", "(\\))a", "[\\]a]b", "a|(b|c)|d$", "abc\\$", "\\/a", "i", "K|ſ|é",
    "^(ab|a\\.b)$", "(?:a|b)$", "(a|b)?c", "(a|)b", "()", "()a", "(a|b)(c|x)", "x(abc)x|^(a|y)",
    "(a|b)+c", "(a|(b))c", "(a", "(a|b", "(a|\\d)c", "(?:a", "(é|s)", "^(a|b)c?$", "(a|b)|(c|d)$", "(a|b)\\1",
    "(a|b){2}", "(*)", "(?)", "(|)",
  ]
  private static let subjects = [
    "", "a", "b", "abc", "ABC", "xabc", "abcx", "xabcx", "abc\n", "abc\r\n", "abc\u{2028}", "abc\u{85}", "\n", "a\nb",
    "a.b",
    "a|b", "aab", "ac", "abbc", "ab", "bc", "bx", "cd", "a]b", "a]d", "^a", "12", "12abc", "12\n", "é", "e\u{301}",
    "éaa",
    "É", "s", "S", "ſ", "k", "K", "K", "ss", "SS", "ß", "İ", "i", "I", "a b", "a#b", "acd", "abdacd", ")a", "abc$",
    "/a",
    "aa", "a b c", "xyabc", "y", "abab", "ſſ", "aſ",
  ]

  @Test("TM-705: what needs no engine has the engine's result", arguments: [false, true], [false, true])
  func matcherAgrees(ignoresCase: Bool, isAnchored: Bool) throws {
    var decided = 0
    for pattern in Self.patterns {
      let whole = isAnchored ? "\\A\(pattern)\\z" : pattern.isEmpty ? "(?:)" : pattern
      let options: NSRegularExpression.Options = ignoresCase ? .caseInsensitive : []
      let isWellFormed = pattern.isEmpty || (try? NSRegularExpression(pattern: pattern, options: options)) != nil
      let engine = isWellFormed ? try? NSRegularExpression(pattern: whole, options: options) : nil
      let ours = try? RegularExpression(pattern, ignoresCase: ignoresCase, isAnchored: isAnchored)
      #expect((ours == nil) == (engine == nil), "\(pattern)")
      guard let ours, let engine else { continue }
      let matcher = PatternMatcher(whole, ignoresCase: ignoresCase)
      for subject in Self.subjects {
        let isFound = engine.isFound(in: subject)
        #expect(
          try ours.isFound(in: subject, clock: ManualClock()) == isFound, "\(pattern) in \(subject.debugDescription)")
        if matcher?.isFound(in: subject) != nil { decided += 1 }
      }
    }
    // The point of the matcher: well over half of these searches never reach the engine.
    #expect(decided > 2_000)
  }

  @Test("TM-705: random patterns have the engine's result too", arguments: [false, true])
  func matcherAgreesAtRandom(isNearlyRegular: Bool) throws {
    let regular = [
      "a", "b", "ab", "S", "k", "1", " ", "_", ".", "^", "$", "|", "|", "(", ")", "(?:", "*", "+", "?", "*?", "[ab]",
      "[^a]", "[a-zB-]", "[-_.]", "[^S-b\\d]", "[\\W&]", "[$^{}|(]", "\\d", "\\w", "\\S", "\\D", "\\.", "{2}", "{0,2}",
      "{1,}",
      "{0}",
    ]
    let other = [
      "é", "\n", "\\b", "(?=", "++", "\\1", "[[:alpha:]]", "[a&&b]", "\\Z", "\\A", "ſ", "(?i)", "[^é]", "[é-ſ]",
    ]
    let parts = isNearlyRegular ? regular : regular + other
    let subjects = [
      "", "a", "ab", "abab", "b\n", "\n", "aéb", "S", "s", "ſ", "É", ".", "ba.", "aab\r", "1a", "K", "k b_1", "aaab1$",
      "-_&", "Sabb 1 ab", "K", "bSk1^",
    ]
    let random = SeededRandomSource(seed: isNearlyRegular ? 42 : 43)
    var wellFormed = 0
    var decided = 0
    for _ in 0..<10_000 {
      let pattern = (0..<1 + random.next() % 9).map { _ in parts[Int(random.next() % UInt64(parts.count))] }.joined()
      let ignoresCase = random.next() % 2 == 0
      let options: NSRegularExpression.Options = ignoresCase ? .caseInsensitive : []
      guard let engine = try? NSRegularExpression(pattern: pattern, options: options) else {
        #expect(throws: RegexFault.invalid, "\(pattern)") { try RegularExpression(pattern, ignoresCase: ignoresCase) }
        continue
      }
      wellFormed += 1
      let ours = try RegularExpression(pattern, ignoresCase: ignoresCase)
      // Only the engine decides the others, some after a very long time.
      guard PatternMatcher(pattern, ignoresCase: ignoresCase) != nil else { continue }
      decided += 1
      for subject in subjects where try ours.isFound(in: subject, clock: ManualClock()) != engine.isFound(in: subject) {
        Issue.record("\(pattern.debugDescription) in \(subject.debugDescription), ignoring case: \(ignoresCase)")
      }
    }
    #expect(wellFormed > 2_000)
    #expect(decided * 2 > wellFormed)
  }

  @Test(
    "TM-705: patterns as authors write them need no engine for names in ASCII",
    arguments: [
      ".*", "/home", "^screen_(home|cart)$", "Linux|Mac OS|iOS|Android", "view_item(_list)?",
      "^/shop/[^/]+/item-\\d{4}$",
      "^(view_item|view_item_list|select_item|add_to_cart|remove_from_cart|view_cart|begin_checkout|purchase)$",
      "view_item|view_item_list|select_item|add_to_cart|remove_from_cart|view_cart|begin_checkout|add_payment_info|refund",
    ])
  func usualPatterns(pattern: String) throws {
    let matcher = try #require(PatternMatcher(pattern, ignoresCase: false))
    let engine = try NSRegularExpression(pattern: pattern)
    for subject in ["", "home", "/home", "view_item_list", "screen_cart", "iOS", "/shop/a b/item-2026", "refund", "x"] {
      #expect(matcher.isFound(in: subject) == engine.isFound(in: subject), "\(subject)")
    }
  }

  @Test(
    "TM-705: what the matcher does not know for certain is left to the engine",
    arguments: [
      "a(?=b)", "(a)\\1", "a++", "(?i)a", "\\bA", "[[:alpha:]]", "[a&&b]", "^^a", "a$$", "(a+)+$", "(a*b?)*",
      String(repeating: "a", count: 65), "(((((((a{9}){9}){9}){9}){9}){9}){9})", "((){999}){999}",
      String(repeating: "(", count: 99) + "a" + String(repeating: ")", count: 99),
    ])
  func unusualPatterns(pattern: String) {
    #expect(PatternMatcher(pattern, ignoresCase: false) == nil)
  }

  @Test("TM-701: an empty pattern is found in any text")
  func empty() throws {
    let expression = try RegularExpression("")
    #expect(try expression.isFound(in: "", clock: ManualClock()))
    #expect(try expression.isFound(in: "x", clock: ManualClock()))
  }

  @Test("TM-704: a search is stopped when its 50 ms are over by the clock, not before")
  func budget() throws {
    final class SteppingClock: HitClock {
      let age = Locked<UInt64>(0)
      let step: UInt64
      init(step: UInt64) { self.step = step }
      func now() -> HitTime { HitTime(wallMilliseconds: 0, ageClock: ageClock, boot: BootID("b")) }
      var ageClock: UInt64 {
        age.withLock {
          $0 += step; return $0
        }
      }
      func sleep(for duration: Duration) async throws {}
    }
    let expression = try RegularExpression("(a+)+$")
    let subject = String(repeating: "a", count: 34) + "b"
    let fast = SteppingClock(step: 30_000_000)
    #expect(throws: RegexFault.timeout) { try expression.isFound(in: subject, clock: fast) }
    // The first report starts the budget, the third is 60 ms later.
    #expect(fast.age.withLock { $0 } == 3 * 30_000_000)
    let slow = SteppingClock(step: 5_000_000)
    #expect(throws: RegexFault.timeout) { try expression.isFound(in: subject, clock: slow) }
    #expect(slow.age.withLock { $0 } == 12 * 5_000_000)
  }

  @Test("TM-704: a search ends also where the clock stands still")
  func frozenClock() throws {
    let expression = try RegularExpression("(a+)+$")
    let subject = String(repeating: "a", count: 40) + "b"
    #expect(throws: RegexFault.timeout) { try expression.isFound(in: subject, clock: ManualClock()) }
  }

  @Test(
    "§600.3: groups of the first match",
    arguments: [
      ("(b)(c)?", "abc", 0, "bc"), ("(b)(c)?", "abc", 1, "b"), ("(b)(c)?", "ab", 2, nil), ("(b)", "abc", 2, nil),
      ("(b)", "abc", -1, nil), ("(x)", "abc", 1, nil), ("b", "abc", 0, "b"), ("b", "abc", 1, nil),
      ("(\u{301})", "e\u{301}x", 1, "\u{301}"),
    ] as [(String, String, Int, String?)])
  func groups(pattern: String, text: String, group: Int, found: String?) throws {
    #expect(try RegularExpression(pattern).group(group, in: text, clock: ManualClock()) == found)
  }

  @Test("TM-705: constant patterns are compiled at load, faulty ones told once")
  func constants() throws {
    let keys = ["a+", "(", "[", "("].map { RegexKey($0) }
    let cache = RegexCache(constants: keys, clock: ManualClock())
    #expect(cache.faults.map(\.key.pattern) == ["(", "["])
    #expect(try cache.isFound(RegexKey("a+"), in: "caat"))
    #expect(throws: RegexFault.invalid) { try cache.isFound(RegexKey("("), in: "x") }
  }

  @Test("TM-705: more than 64 other patterns are served all the same, from any number of threads")
  func slots() async throws {
    let cache = RegexCache(clock: ManualClock())
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          (0..<200).count { (try? cache.isFound(RegexKey("^\($0)x+$"), in: "\($0)xx")) == true }
        }
      }
      for await found in group { #expect(found == 200) }
    }
  }

  @Test("TM-701: patterns that differ only canonically are different patterns")
  func canonicallyEquivalentPatterns() throws {
    let cache = RegexCache(constants: [RegexKey("é+")], clock: ManualClock())
    #expect(try cache.isFound(RegexKey("é+"), in: "é"))
    #expect(try !cache.isFound(RegexKey("e\u{301}+"), in: "é"))
  }
}

extension NSRegularExpression {
  fileprivate func isFound(in text: String) -> Bool {
    firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
  }
}

@Suite("Texts by scalars")
struct StringScalarsTests {
  @Test("TM-701: long searches find what short ones find")
  func longSearch() {
    let random = SeededRandomSource(seed: 3)
    for _ in 0..<300 {
      let text = String((0..<400).map { _ in random.next() % 8 == 0 ? "b" : "a" } as [Character])
      let length = 1 + Int(random.next() % 120)
      let start = Int(random.next() % UInt64(400 - length))
      let part = String(text.dropFirst(start).prefix(length))
      #expect(text.containsScalars(of: part))
      #expect(text.containsScalars(of: part + "c") == false)
      let other = String((0..<length).map { _ in random.next() % 8 == 0 ? "b" : "a" } as [Character])
      #expect(text.containsScalars(of: other) == text.contains(other))
    }
  }
}
