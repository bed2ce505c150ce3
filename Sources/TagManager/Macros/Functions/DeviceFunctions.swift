import Hits

extension MacroFunctions {
  /// Facts about the device and the app.
  static let device: [MacroFunction] = [
    MacroFunction(.language) { arguments, context in
      let tag = context.device.language.lowercased().replacing("_", with: "-")
      if arguments.text("component") == "full" { return Evaluated(text: tag) }
      return Evaluated(text: String(tag.prefix { $0 != "-" }))
    },
    MacroFunction(.platform, isCacheable: true) { _, context in Evaluated(text: context.device.platform) },
    MacroFunction(.osVersion, isCacheable: true) { _, context in Evaluated(text: context.device.osVersion) },
    MacroFunction(.sdkVersion, isCacheable: true) { _, context in
      Evaluated(text: String(context.device.osVersion.prefix { $0 != "." }))
    },
    MacroFunction(.deviceName, isCacheable: true) { _, context in Evaluated(text: context.device.model) },
    MacroFunction(.resolution) { _, context in Evaluated(text: context.device.screen?.description) },
    MacroFunction(.appName, isCacheable: true) { _, context in Evaluated(text: context.device.appName) },
    MacroFunction(.appID, isCacheable: true) { _, context in Evaluated(text: context.device.appID) },
    MacroFunction(.appVersion, isCacheable: true) { _, context in Evaluated(text: context.device.appVersion) },
    MacroFunction(.appVersionName, isCacheable: true) { _, context in Evaluated(text: context.device.appVersion) },
  ]
}
