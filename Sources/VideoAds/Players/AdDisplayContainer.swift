/// The view that an adapter resolves an ad's surface to.
public struct SurfaceID: Sendable, Hashable {
  /// Unique in the app.
  public var text: String

  /// Makes an id.
  public init(_ text: String) { self.text = text }
}

/// What lies over ads on purpose and is no loss of visibility (VA-1006).
public struct FriendlyObstruction: Sendable, Hashable {
  /// What it is for.
  public enum Purpose: String, Sendable, Hashable {
    /// Controls of the media.
    case mediaControls
    /// Closes the ad.
    case closeAd
    /// Nothing is seen of it.
    case notVisible
    /// Anything else.
    case other
  }

  /// The view.
  public var view: SurfaceID
  /// What it is for.
  public var purpose: Purpose
  /// Why it is there: at most 50 letters, digits and blanks.
  public var reason: String

  /// Makes an obstruction; what the reason must not have is left out.
  public init(view: SurfaceID, purpose: Purpose, reason: String = "") {
    self.view = view
    self.purpose = purpose
    let kept = reason.utf8.filter { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: " ") }.prefix(50)
    self.reason = String(decoding: kept, as: UTF8.self)
  }
}

/// The place in which ads are shown (VA-1000).
@MainActor
public final class AdDisplayContainer {
  /// What the place can do; all of it unless an adapter says otherwise.
  public struct Capabilities: Sendable, Hashable {
    /// Whether it has a control for skipping.
    public var skip = true
    /// Whether it can be muted.
    public var mute = true
    /// Whether ads start by themselves.
    public var autoplay = true
    /// Whether it can fill the screen.
    public var fullscreen = true
    /// Whether it shows icons.
    public var icons = true
    /// Whether pages can be opened.
    public var browser = true
    /// What can be shown beside and over media.
    public var resources = RenderableResources()

    /// Makes a place that can do everything, and shows images alone.
    public init() {}

    /// The names of the macro PLAYERCAPABILITIES.
    var names: [String] {
      [(skip, "skip"), (mute, "mute"), (autoplay, "autoplay"), (fullscreen, "fullscreen"), (icons, "icon")]
        .filter(\.0).map(\.1)
    }
  }

  /// The view; nil for a headless place.
  public let surface: SurfaceID?
  /// What presents pages over it.
  public weak var presenter: AnyObject?
  /// The places beside it.
  public let companionSlots: [CompanionSlot]
  /// What it can do.
  public var capabilities = Capabilities()
  /// Its size in points; a change counts at once.
  public var size: AdSize { didSet { changed() } }
  /// Whether it can be seen.
  public var isVisible = true { didSet { changed() } }
  /// Whether it fills the screen.
  public var isFullscreen = false { didSet { changed() } }
  /// What lies over it on purpose.
  public private(set) var friendlyObstructions: [FriendlyObstruction] = []
  /// The one manager that shows ads in it (VA-108).
  weak var driver: EngineDriver?

  /// Makes the place of a view.
  public init(
    surface: SurfaceID, size: AdSize = AdSize(width: 640, height: 360), presenter: AnyObject? = nil,
    companionSlots: [CompanionSlot] = []
  ) {
    self.surface = surface
    self.size = size
    self.presenter = presenter
    self.companionSlots = companionSlots
  }

  private init(headless size: AdSize) {
    surface = nil
    self.size = size
    companionSlots = []
  }

  /// Makes a place without a view: always visible, and nobody can tell whether ads were seen (VA-1008).
  public static func headless(size: AdSize) -> AdDisplayContainer { AdDisplayContainer(headless: size) }

  /// Adds what lies over ads on purpose.
  public func register(_ obstruction: FriendlyObstruction) { friendlyObstructions.append(obstruction) }

  /// Forgets all of them.
  public func unregisterAll() { friendlyObstructions = [] }

  var state: ContainerState {
    surface == nil
      ? ContainerState(size: AdSize(width: max(1, size.width), height: max(1, size.height)))
      : ContainerState(size: size, isVisible: isVisible, isFullscreen: isFullscreen)
  }

  private func changed() { driver?.handle(.container(state)) }
}
