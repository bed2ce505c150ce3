import Foundation
import Hits

/// What runs at the start of each document: the bridge `__tagworks` and the guards around it (WT-841, WT-842).
///
/// The source is constant; what differs by load enters as one JSON constant with everything escaped that could end it.
enum Bootstrap {
  /// What differs by load.
  struct Options: Sendable {
    /// 128 random bits, known to the bootstrap's closure alone.
    var token: String
    /// The only origin that gets a bridge.
    var origin: String
    /// The scheme of command URLs.
    var scheme: String
    /// Settings that the page's own `utag_cfg_ovrd` cannot take back.
    var overrides: JSONObject
    var beaconFallback: Bool
    /// Scripts to add once the document is there.
    var scripts: [URL]
  }

  static func source(_ options: Options, for tag: UniversalTag) -> String {
    let constants: Value = [
      "token": .string(options.token), "origin": .string(options.origin), "scheme": .string(options.scheme),
      "overrides": .map(options.overrides), "beaconFallback": .bool(options.beaconFallback),
      "scripts": .list(options.scripts.map { .string($0.absoluteString) }),
    ]
    let adapters = tag.adapters.map { "(\($0.source))(\(PageJSON.inScript($0.constants)))" }
    return "(\(BootstrapScript.text))(\(PageJSON.inScript(constants)), () => [\(adapters.joined(separator: ", "))]);"
  }
}
