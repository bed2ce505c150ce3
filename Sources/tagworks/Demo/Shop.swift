import Foundation
import Hits
import TagManager

/// The sample shop: a container in binary and in compiled JSON form, a session in it, and the app's own code.
enum Shop {
  static let id: ContainerID = "GTM-SHOP"
  static let binary = Data(PackageResources.GTM_SHOP)
  static let json = Data(PackageResources.GTM_SHOP_json)

  /// What a visitor does: 42 pushes, 34 of them events.
  static func session() throws(CommandFailure) -> EventsFile {
    try EventsFile(lines: PackageResources.session_ndjson, name: "session.ndjson")
  }

  /// Both forms, as an app would ship them; the binary one is found first (TM-200).
  static let bundled = InMemoryDefaultContainers([id.text: binary, id.text + ".json": json])

  /// A device in a language.
  static func device(language: String) -> FixedDevice {
    FixedDevice(
      platform: "Linux", model: "demo", language: language, screen: ScreenSize(width: 390, height: 844),
      appName: "Shop", appID: "com.example.shop", appVersion: "1.0")
  }

  /// The app's own code behind function-call macros and tags.
  static func register(in handlers: HandlerRegistry, pixelBase: String) {
    handlers.onMacro("formatPrice") { parameters in
      guard let amount = parameters["amount"], let currency = parameters["currency"] else { return nil }
      return .string("\(amount.text(.standard)) \(currency.text(.standard))")
    }
    handlers.onMacro("pixelBase") { _ in .string(pixelBase) }
    handlers.onTag("showBanner") { _ in }
    handlers.onTag("celebrate") { _ in }
  }
}
