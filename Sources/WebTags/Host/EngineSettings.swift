/// How a web engine that runs in a process of its own is started there (WT-733, WT-734).
public struct EngineSettings: Sendable, Hashable, Codable {
  /// Whether pages must run in the engine's sandbox.
  public enum Sandbox: String, Sendable, Hashable, Codable {
    /// Without a working sandbox the engine is unavailable.
    case required
    /// In a sandbox where one works; `PageHostCapabilities.isSandboxed` tells.
    case whenPossible
    /// Without a sandbox, for containers that are one themselves.
    case disabled
  }

  /// What the engine's windows are drawn on.
  public enum Display: String, Sendable, Hashable, Codable {
    /// A display inside the process that shows nothing.
    case `private`
    /// An Xvfb server, started for the process.
    case xvfb
    /// The display that the environment names; the page's window appears there.
    case inherit
  }

  /// Whether pages must run in a sandbox.
  public var sandbox: Sandbox
  /// What the windows are drawn on.
  public var display: Display

  /// Makes settings; the defaults are those for apps.
  public init(sandbox: Sandbox = .required, display: Display = .private) {
    self.sandbox = sandbox
    self.display = display
  }
}
