#if !canImport(Darwin)
  import WebTags

  /// One page in the helper: its host, and the events that go to the app.
  final class ServedPage: Sendable {
    let host: any PageHost
    private let events: Task<Void, Never>

    init(host: any PageHost, report: @escaping @Sendable (PageEvent) -> Void) {
      self.host = host
      events = Task {
        for await event in host.events { report(event) }
      }
    }

    /// Waits until the last event has been handed on.
    func finishEvents() async { await events.value }

    /// Does what the app asks, but for opening.
    func perform(_ operation: PageOperation) async -> HelperAnswer.Outcome {
      do throws(PageHostError) {
        switch operation {
        case .open: return .failure(PageHostError(.unavailable, "the page is open already"))
        case .load(let source, let id): await host.load(source.source, id: id)
        case .call(let path, let argument): return .text(try await host.call(path, argument))
        case .setBootstrap(let source): await host.setBootstrap(source)
        case .setNetworkPolicy(let policy): try await host.setNetworkPolicy(policy)
        case .cookies(let url): return .cookies(try await host.cookies(for: url))
        case .setCookie(let cookie): try await host.setCookie(cookie)
        case .removeCookies(let url): try await host.removeCookies(for: url)
        case .eraseData: try await host.eraseData()
        case .drain(let milliseconds): await host.drain(limit: .milliseconds(milliseconds))
        case .stop: await host.stop()
        case .terminate: await host.terminate()
        case .close: await host.close()
        }
        return .nothing
      } catch {
        return .failure(error)
      }
    }
  }
#endif
