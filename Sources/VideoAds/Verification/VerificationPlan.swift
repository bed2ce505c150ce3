/// Why a script is not run: the value of `[REASON]` (VA-906).
enum VerificationRefusal: Int, Sendable, Hashable {
  case rejected = 1
  case unsupported = 2
  case loadError = 3
}

/// Which scripts of an ad run, and which are refused (VA-900, VA-905, VA-906).
struct VerificationPlan: Sendable {
  static let scriptLimit = 8

  private(set) var scripts: [VerificationScript] = []
  /// The verification of each script, by its place in the ad.
  private(set) var owners: [Int] = []
  private(set) var refused: [(owner: Int, reason: VerificationRefusal)] = []

  /// Decides for an ad's verifications.
  init(_ verifications: [VAST.Verification], hasHost: Bool, isAllowed: Bool, vendors: [String]?) {
    for (owner, verification) in verifications.enumerated() {
      let resource = verification.scripts.first { resource in
        ["omid", "omid2"].contains(resource.apiFramework?.lowercased() ?? "")
      }
      let isVendorAllowed = vendors.map { $0.contains(verification.vendor ?? "") } ?? true
      if !isAllowed || !isVendorAllowed {
        refused.append((owner, .rejected))
      } else if let resource, hasHost {
        guard scripts.count < Self.scriptLimit, Self.isAllowed(resource.url) else {
          refused.append((owner, .rejected))
          continue
        }
        owners.append(owner)
        scripts.append(
          VerificationScript(
            url: AdURL.cleaned(resource.url), vendor: verification.vendor, parameters: verification.parameters))
      } else {
        refused.append((owner, .unsupported))
      }
    }
  }

  /// https, and http on this machine.
  private static func isAllowed(_ url: String) -> Bool {
    let reference = URLReference(AdURL.cleaned(url))
    if reference.scheme == "https" { return reference.host?.isEmpty == false }
    return reference.scheme == "http" && ["localhost", "127.0.0.1", "[::1]"].contains(reference.host ?? "")
  }
}
