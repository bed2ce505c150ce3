/// Something that happened in a page (WT-701).
public struct PageEvent: Sendable, Hashable, Codable {
  /// The load it belongs to; nil before the first.
  public var load: LoadID?
  /// What it was.
  public var kind: Kind

  /// Makes an event.
  public init(load: LoadID?, _ kind: Kind) {
    self.load = load
    self.kind = kind
  }

  /// What can happen; URLs are texts as the engine spells them.
  public enum Kind: Sendable, Hashable, Codable {
    /// The load began.
    case started
    /// The main document was redirected.
    case redirected(url: String)
    /// The main document was answered.
    case response(status: Int, mime: String?, url: String)
    /// The document and what it loads by itself are there.
    case finished(url: String)
    /// The load failed.
    case failed(PageHostError)
    /// A script posted a text to a handler.
    case message(name: String, body: String, frame: PageFrame)
    /// A navigation to the command scheme was stopped (WT-507).
    case command(url: String, frame: PageFrame)
    /// A navigation was stopped (WT-704).
    case navigationBlocked(PageNavigation)
    /// A line of the page's console.
    case console(level: ConsoleLevel, text: String, source: String?, line: Int?)
    /// An image, script or other part failed to load.
    case resourceFailed(url: String, reason: String)
    /// A request that the network policy forbids did not leave.
    case requestBlocked(host: String)
    /// The content process, or the helper with all its pages, ended.
    case processTerminated(TerminationReason)
    /// The host is closed; the last event.
    case closed
  }
}

/// Where in a page something came from.
public struct PageFrame: Sendable, Hashable, Codable {
  /// Whether it was the main frame; nil when the engine cannot tell.
  public var isMain: Bool?
  /// The frame's origin as `scheme://host[:port]`; nil when the engine cannot tell.
  public var origin: String?

  /// Makes a frame.
  public init(isMain: Bool?, origin: String? = nil) {
    self.isMain = isMain
    self.origin = origin
  }

  /// A frame of which the engine tells nothing.
  public static let unknown = PageFrame(isMain: nil)
}

/// A navigation that the page asked for.
public struct PageNavigation: Sendable, Hashable, Codable {
  /// Where to, as the engine spells it.
  public var url: String
  /// How.
  public var kind: Kind
  /// The frame that asked.
  public var frame: PageFrame

  /// Makes a navigation.
  public init(url: String, kind: Kind, frame: PageFrame) {
    self.url = url
    self.kind = kind
    self.frame = frame
  }

  /// What would happen: an open set.
  public struct Kind: RawRepresentable, Sendable, Hashable, Codable {
    /// The name, as it is printed.
    public let rawValue: String

    /// Makes a kind of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The frame would go elsewhere.
    public static let navigation = Kind(rawValue: "navigation")
    /// A window would open.
    public static let newWindow = Kind(rawValue: "newWindow")
    /// A file would be saved.
    public static let download = Kind(rawValue: "download")
  }
}

/// What becomes of a navigation.
public enum NavigationDecision: String, Sendable, Hashable, Codable {
  /// It does not happen.
  case cancel
  /// It happens, in the page.
  case allow
}

/// How severe a line of a page's console is.
public enum ConsoleLevel: String, Sendable, Hashable, Codable {
  case debug
  case log
  case info
  case warning
  case error
}

/// Why the process of a page ended.
public enum TerminationReason: String, Sendable, Hashable, Codable {
  /// It crashed or was killed.
  case crash
  /// It used more memory than allowed.
  case memory
  /// `terminate()` was called.
  case api
  /// The helper process ended, and all pages with it.
  case helper
}
