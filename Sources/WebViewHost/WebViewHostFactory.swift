public import WebTags

#if canImport(WebKit)
  /// Makes pages in the system's web view (WT-760).
  public struct WebViewHostFactory: PageHostFactory {
    /// Makes a factory.
    public init() {}

    /// The app's own web views share cookies with pages that ask for it.
    public var sharesAppSession: Bool { true }

    /// Makes a host that is not open yet.
    public func make() -> any PageHost { WebViewPageHost() }
  }
#elseif !canImport(Darwin)
  /// Makes pages in one helper process, `tagworks-webhost`, which ends with the last of them (WT-731).
  ///
  /// This module links no web library: where the helper or what it needs is missing, `open` throws `unavailable` with
  /// the name of the package.
  public struct WebViewHostFactory: PageHostFactory {
    private let helpers: HelperPool

    /// Makes a factory; an app needs one.
    ///
    /// - Parameters:
    ///   - helper: the path of `tagworks-webhost`; nil for the one named by the environment's `TAGWORKS_WEBHOST`, or
    ///     the one beside this program.
    ///   - settings: how the engine is started there.
    public init(helper: String? = nil, settings: EngineSettings = EngineSettings()) {
      helpers = HelperPool(program: helper, settings: settings)
    }

    /// No view of the app's can share a session with another process (WT-145).
    public var sharesAppSession: Bool { false }

    /// Makes a host that is not open yet.
    public func make() -> any PageHost { HelperHost(helpers: helpers) }
  }
#endif
