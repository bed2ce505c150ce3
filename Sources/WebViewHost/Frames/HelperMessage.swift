package import Foundation
import Hits
package import WebTags

/// A message as JSON in a frame.
///
/// The few that every event needs are lists, which are written and read without `Codable`: that took a tenth of the time
/// of a call. All others are objects.
package protocol HelperMessage: Codable, Sendable {
  /// The message as the JSON of a list; nil for one that is an object.
  var list: [UInt8]? { get }
  /// Reads the JSON of a list.
  init?(list: ArraySlice<UInt8>)
}

extension HelperMessage {
  /// The message as a frame.
  package func frame() throws(FrameError) -> [UInt8] {
    if let list { return try Frame.bytes(of: list) }
    let json: Data
    do { json = try JSONEncoder().encode(self) } catch {
      throw FrameError(.notAMessage, "a message that cannot be written")
    }
    return try Frame.bytes(of: json)
  }

  /// Reads the JSON of a frame.
  package init(json: ArraySlice<UInt8>) throws(FrameError) {
    if json.first == UInt8(ascii: "[") {
      guard let message = Self(list: json) else {
        throw FrameError(.notAMessage, "\(json.count) bytes that are no message")
      }
      self = message
      return
    }
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

extension HelperRequest {
  /// A call is `[page,id,"path",argument]`: the argument is JSON already, and goes as it is.
  package var list: [UInt8]? {
    guard case .page(let page, let id, .call(let path, let argument)) = self, PagePath.isValid(path) else { return nil }
    var json = Array("[\(page),\(id),\"\(path)\",".utf8)
    json.reserveCapacity(json.count + argument.utf8.count + 1)
    json += argument.utf8
    json.append(UInt8(ascii: "]"))
    return json
  }

  package init?(list: ArraySlice<UInt8>) {
    let parts = list.dropFirst().split(separator: UInt8(ascii: ","), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, let page = UInt64(String(decoding: parts[0], as: UTF8.self)),
      let id = UInt64(String(decoding: parts[1], as: UTF8.self)), parts[2].first == UInt8(ascii: "\""),
      parts[2].count > 1, parts[2].last == UInt8(ascii: "\""), parts[3].last == UInt8(ascii: "]")
    else { return nil }
    let path = String(decoding: parts[2].dropFirst().dropLast(), as: UTF8.self)
    let argument = String(decoding: parts[3].dropLast(), as: UTF8.self)
    self = .page(page: page, id: id, operation: .call(path: path, argument: argument))
  }
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

extension HelperAnswer {
  /// The result of a call is `[id, text]`, a page's message `[page, load, name, body]`.
  package var list: [UInt8]? { values.map { Value.list($0).jsonBytes } }

  private var values: [Value]? {
    switch self {
    case .done(let id, .text(let text)) where Value.isListed(text): return [.int(Int64(clamping: id)), .string(text)]
    case .event(let page, let event):
      guard case .message(let name, let body, .unknown) = event.kind, let load = event.load, Value.isListed(body) else {
        return nil
      }
      return [
        .int(Int64(clamping: page)), .int(Int64(clamping: load.rawValue)), .string(name), .string(body),
      ]
    default: return nil
    }
  }

  package init?(list json: ArraySlice<UInt8>) {
    let limits = JSONLimits(bytes: Frame.longest, depth: 2, nodes: 16, textBytes: Frame.longest)
    guard let list = try? Value(json: Array(json), limits: limits).list else { return nil }
    if list.count == 2, let id = list[0].number, let text = list[1].string {
      self = .done(id: id, outcome: .text(text))
    } else if list.count == 4, let page = list[0].number, let load = list[1].number, let name = list[2].string,
      let body = list[3].string
    {
      let event = PageEvent(load: LoadID(rawValue: load), .message(name: name, body: body, frame: .unknown))
      self = .event(page: page, event: event)
    } else {
      return nil
    }
  }
}

extension Value {
  /// Whether a text goes in a list: a long one takes no part of the time but that of its bytes, and a build without
  /// optimisation would be slow to read it.
  fileprivate static func isListed(_ text: String) -> Bool { text.utf8.count <= 1 << 16 }

  /// A number that counts pages, loads or requests.
  fileprivate var number: UInt64? {
    if case .int(let number) = self { UInt64(exactly: number) } else { nil }
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
    callMilliseconds = options.callLimit.timerMilliseconds
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
