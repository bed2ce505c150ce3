/// A question to the app about a navigation that counts as answered with no after five seconds (WT-704).
package struct NavigationQuestion: Sendable {
  private let decide: @Sendable (PageNavigation) async -> NavigationDecision

  package init(_ decide: @escaping @Sendable (PageNavigation) async -> NavigationDecision) { self.decide = decide }

  package func answer(for navigation: PageNavigation) async -> NavigationDecision {
    let (answers, answer) = AsyncStream<NavigationDecision>.makeStream(bufferingPolicy: .bufferingOldest(1))
    let question = Task {
      answer.yield(await decide(navigation))
    }
    let limit = Task {
      try await Task.sleep(for: .seconds(5))
      answer.yield(.cancel)
    }
    defer {
      question.cancel()
      limit.cancel()
    }
    for await decision in answers { return decision }
    return .cancel
  }
}
