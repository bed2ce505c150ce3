import Hits

extension MacroFunctions {
  /// Facts about the container and what evaluates it.
  static let container: [MacroFunction] = [
    MacroFunction(.containerVersion, isCacheable: true) { _, context in Evaluated(text: context.containerVersion) },
    MacroFunction(.containerID, isCacheable: true) { _, context in Evaluated(text: context.containerID.text) },
    MacroFunction(.productVersion, isCacheable: true) { _, _ in Evaluated(text: ProductInfo.version) },
    MacroFunction(.runtimeVersion, isCacheable: true) { _, _ in .value(.int(ContainerRuntime.version)) },
    MacroFunction(.consent, requires: ["type"]) { arguments, context in
      Evaluated(arguments.text("type").map { .bool(context.consent.allows($0)) })
    },
  ]
}

/// What containers may ask of what evaluates them.
enum ContainerRuntime {
  /// The version that `_rv` gives, and that a legacy server is told.
  static let version: Int64 = 100_000_000
}
