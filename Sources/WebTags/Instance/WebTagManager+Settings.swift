import Foundation
import Hits

/// Publish settings: from the page's text or by a GET of their own.
extension WebTagManager {
  /// Fetches the publish settings now; in `shouldDrop` and `shouldQueue` it does not wait for them.
  ///
  /// - Throws: `settingsUnavailable` when there is no answer that has any, or the place of the settings is unknown.
  public func refreshSettings() async throws(WebTagsError) {
    guard PageAddress.settingsURL(of: configuration) != nil else {
      throw WebTagsError(.settingsUnavailable, "", "the defaults apply: there is no place of the settings")
    }
    let work = InstanceState.Work.run { manager in await manager.askForSettings(isForced: true, isByHand: true) }
    if AppCall.holdsLoop(of: shared) {
      shared.mailbox.put(work)
      return
    }
    let error = await withCheckedContinuation { continuation in
      refreshWaiters.append(continuation)
      if !shared.mailbox.put(work) { endRefresh(.closed) }
    }
    if let error { throw error }
  }

  /// Looks for settings, if it is time to.
  func askForSettings(isForced: Bool, isByHand: Bool = false) async {
    guard PageAddress.settingsURL(of: configuration) != nil, environment.connectivity.isOnline else {
      if isByHand { endRefresh(WebTagsError(.settingsUnavailable, "", "there is no network")) }
      return
    }
    // The page that is loading brings them.
    if !isByHand, machine.state == .loading, PageAddress.pageHasSettings(configuration) { return }
    let action = refresh.ask(now.age, refreshMinutes: settings.refreshMinutes, isForced: isForced)
    perform(action)
  }

  private func perform(_ action: SettingsRefresh.Action?) {
    switch action {
    case nil: break
    case .fetch: fetchSettings()
    case .wait(let milliseconds):
      later(.milliseconds(milliseconds)) { manager in manager.perform(manager.refresh.due()) }
    }
  }

  private func fetchSettings() {
    guard let url = PageAddress.settingsURL(of: configuration) else { return }
    let (fetcher, shared, published) = (fetcher, shared, published)
    var hosts = PageFetcher.pageHosts(configuration)
    if let host = WebURL(url.absoluteString)?.host { hosts.append(HostPattern(host)) }
    spawn { [hosts] in
      let answer: Result<PageFetcher.Answer, PageFetcher.Failure>
      do throws(PageFetcher.Failure) {
        answer = .success(
          try await fetcher.get(
            url, etag: published?.etag, lastModified: published?.lastModified, hosts: hosts, timeout: .seconds(30)))
      } catch {
        answer = .failure(error)
      }
      shared.run { manager in await manager.settingsFetched(answer) }
    }
  }

  private func settingsFetched(_ answer: Result<PageFetcher.Answer, PageFetcher.Failure>) async {
    switch answer {
    case .success(.unchanged):
      perform(refresh.answer(.good, now.age))
      published?.time = environment.clock.wallMilliseconds
      if let published { await keep([StoredValues.settings: StoredValues.bytes(published)]) }
      endRefresh(nil)
    case .success(.new(let response)):
      perform(refresh.answer(.good, now.age))
      let isRead = await takeSettings(response)
      if PageAddress.pageHasSettings(configuration), let page = StoredValues(values).page, PageFetcher.isPage(response),
        InlineScripts.withoutSettings(page.body) != InlineScripts.withoutSettings(response.body)
      {
        await handle(.pageChanged)
      }
      endRefresh(isRead ? nil : WebTagsError(.settingsUnavailable, "", "the answer has no settings"))
    case .failure(.temporary(let failure, let retryAfter)):
      let action = refresh.answer(.temporary(retryAfter: retryAfter), now.age)
      perform(action)
      if action == nil { endRefresh(WebTagsError(.settingsUnavailable, "", failure.message)) }
    case .failure(.permanent(let failure)):
      perform(refresh.answer(.bad, now.age))
      endRefresh(WebTagsError(.settingsUnavailable, "", failure.message))
    }
  }

  func endRefresh(_ error: WebTagsError?) {
    for waiter in refreshWaiters { waiter.resume(returning: error) }
    refreshWaiters = []
  }

  /// Takes settings out of an answer; a text without them changes nothing (WT-221).
  ///
  /// - Returns: whether there were any.
  func takeSettings(_ response: HTTPResponse) async -> Bool {
    let type = PageFetcher.mediaType(response)
    do throws(SettingsRejection) {
      let (settings, isIncomplete) = try PublishSettings.parse(
        response.body, isJSON: type == "application/json" || type.hasSuffix("+json"))
      if isIncomplete { warn("the publish settings have no part 5: the defaults apply") }
      let published = PublishedSettings(
        settings: settings, etag: response.headers["ETag"], lastModified: response.headers["Last-Modified"],
        time: environment.clock.wallMilliseconds)
      self.published = published
      await keep([StoredValues.settings: StoredValues.bytes(published)])
      await apply()
      return true
    } catch {
      log.write(.prod, "no publish settings: \(error.message)")
      notices.yield(.settingsRejected(error))
      return false
    }
  }

  /// The page's own fetch brought the settings.
  func settingsCameWithPage() {
    if refresh.ask(now.age, refreshMinutes: 0, isForced: true) != nil { perform(refresh.answer(.good, now.age)) }
  }

  private func apply() async {
    let old = settings
    settings = PublishSettings.inForce(published: published?.settings, local: configuration.local)
    guard settings != old else { return }
    log.follow(settings)
    notices.yield(.settingsChanged(from: old, to: settings))
    if let delegate {
      let settings = settings
      callbacks.add { [self] in await delegate.webTags(self, didUpdate: settings) }
    }
    await handle(.rules(rules))
    await openGates()
    // After the gates: what was on its way into the page is back by now.
    if !settings.isEnabled { await handle(.drop(.libraryDisabled, keepingConsentEvents: false)) }
    await handle(.retry(.settings))
  }
}
