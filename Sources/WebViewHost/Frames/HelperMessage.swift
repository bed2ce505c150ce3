package import Foundation
package import WebTags

/// A message as JSON in a frame.
package protocol HelperMessage: Codable, Sendable {}

extension HelperMessage {
  /// The message as a frame.
  package func frame() throws(FrameError) -> [UInt8] {
    let json: Data
    do { json = try JSONEncoder().encode(self) } catch {
      throw FrameError(.notAMessage, "a message that cannot be written")
    }
    return try Frame.bytes(of: json)
  }

  /// Reads the JSON of a frame.
  package init(json: ArraySlice<UInt8>) throws(FrameError) {
    do { self = try JSONDecoder().decode(Self.self, from: Data(json)) } catch {
      throw FrameError(.notAMessage, "\(json.count) bytes that are no message")
    }
  }
}

/// What an app says to its helper.
package enum HelperRequest: HelperMessage {
  /// The first message.
  case hello(version: Int, settings: EngineSettings)
  /// Asks whether the helper lives; answered by `done` of the number.
  case ping(id: UInt64)
  /// Something that a page is to do; answered by `done` of the number.
  case page(page: UInt64, id: UInt64, operation: PageOperation)
  /// The answer to `HelperAnswer.decide`.
  case decision(id: UInt64, decision: NavigationDecision)
}

/// What a page in the helper is to do: the port's methods.
package enum PageOperation: Sendable, Codable {
  case open(HelperPageOptions)
  case load(HelperPageSource, LoadID)
  case call(path: String, argument: String)
  case setBootstrap(String)
  case setNetworkPolicy(NetworkPolicy)
  case cookies(URL?)
  case setCookie(WebCookie)
  case removeCookies(URL?)
  case eraseData
  case drain(milliseconds: Int)
  case stop
  case terminate
  case close
}

/// What a helper says to its app.
package enum HelperAnswer: HelperMessage {
  /// The first message.
  case hello(version: Int)
  /// An operation has ended.
  case done(id: UInt64, outcome: Outcome)
  /// Something happened in a page.
  case event(page: UInt64, event: PageEvent)
  /// The app's own decision on a navigation is asked for.
  case decide(page: UInt64, id: UInt64, navigation: PageNavigation)

  /// How an operation ended.
  package enum Outcome: Sendable, Codable {
    case nothing
    case text(String)
    case capabilities(PageHostCapabilities)
    case cookies([WebCookie])
    case failure(PageHostError)
  }
}

/// What a page is made from.
package enum HelperPageSource: Sendable, Codable {
  case html(String, base: URL)
  case url(URL)

  package init(_ source: PageSource) {
    switch source {
    case .html(let text, let base): self = .html(text, base: base)
    case .url(let url): self = .url(url)
    }
  }

  package var source: PageSource {
    switch self {
    case .html(let text, let base): .html(text, base: base)
    case .url(let url): .url(url)
    }
  }
}

/// The options of a page as far as they can go to another process.
package struct HelperPageOptions: Sendable, Codable {
  /// Where a page keeps its data.
  package enum Session: Sendable, Codable {
    case directory(URL)
    case ephemeral
    case shared(id: UUID, directory: URL?)
  }

  package var session: Session
  package var userAgent: String?
  package var language: String?
  package var memoryLimit: Int
  package var network: NetworkPolicy
  package var commandScheme: String
  package var navigationCommands: NavigationCommands
  package var callMilliseconds: Int
  package var isInspectable: Bool
  package var asksNavigation: Bool

  /// Takes what a helper can have.
  ///
  /// - Throws: `unavailable` for the session of the app's own web views (WT-145).
  package init(_ options: PageHostOptions) throws(PageHostError) {
    switch options.session {
    case .directory(let url): session = .directory(url)
    case .ephemeral: session = .ephemeral
    case .shared(let shared): session = .shared(id: shared.id, directory: shared.directory)
    case .appDefault: throw PageHostError(.unavailable, "needs the in-process host")
    }
    userAgent = options.userAgent
    language = options.language
    memoryLimit = options.memoryLimit
    network = options.network
    commandScheme = options.commandScheme
    navigationCommands = options.navigationCommands
    callMilliseconds = options.callLimit.wholeMilliseconds
    isInspectable = options.isInspectable
    asksNavigation = options.decideNavigation != nil
  }

  /// The options in the helper.
  ///
  /// - Parameters:
  ///   - session: the session of these options there.
  ///   - decide: asks the app.
  package func options(
    session: PageSession, decide: @escaping @Sendable (PageNavigation) async -> NavigationDecision
  ) -> PageHostOptions {
    PageHostOptions(
      session: session, userAgent: userAgent, language: language, memoryLimit: memoryLimit, network: network,
      commandScheme: commandScheme, navigationCommands: navigationCommands,
      callLimit: .milliseconds(callMilliseconds), isInspectable: isInspectable,
      decideNavigation: asksNavigation ? decide : nil)
  }
}

extension Duration {
  /// Whole milliseconds, at least none and at most what a day has.
  package var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(min(max(0, seconds), 86_400)) * 1000 + Int(max(0, attoseconds) / 1_000_000_000_000_000)
  }
}
