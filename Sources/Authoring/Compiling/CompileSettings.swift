public import TagManager

/// What a compiled container says about itself, and how large it may be.
public struct CompileSettings: Sendable {
  /// The version's text; nil takes the workspace's own.
  public var version: String?
  /// The environment it is for.
  public var environment = "live"
  /// How many publishes came before.
  public var sequence: Int64?
  /// When it is published, in milliseconds since 1970 UTC.
  public var publishedAt: Int64?
  /// How many bytes a compiled container may have when it is compressed (CO-303).
  public var compressedBytes = 2 << 20
  /// Tells how many bytes are left of others when a server compresses them.
  public var compressedSize: @Sendable ([UInt8]) -> Int

  /// Makes settings for whoever has a compressor.
  public init(compressedSize: @escaping @Sendable ([UInt8]) -> Int) { self.compressedSize = compressedSize }
}

/// What compiling a workspace gave: a container, or the errors why there is none.
public struct Compilation: Sendable {
  /// The container; nil when a diagnostic is an error.
  public var container: CompiledContainer?
  /// What the author should know, errors first (CO-206).
  public var diagnostics: [WorkspaceDiagnostic]
}
