import Hits

/// The page that runs the scripts of the ad that plays, through the app's port (VA-900).
@MainActor
final class VerificationPage {
  private let context: RequestContext
  private let scriptFailed: @MainActor (Int) -> Void
  private var session: (any VerificationSession)?
  /// Counts the pages: what an earlier one says is not about the ad that plays now.
  private var number = 0

  init(_ context: RequestContext, scriptFailed: @escaping @MainActor (Int) -> Void) {
    self.context = context
    self.scriptFailed = scriptFailed
  }

  func perform(_ command: VerificationCommand) {
    switch command {
    case .open(let scripts): open(scripts)
    case .send(let type, let data):
      session?.send(
        VerificationEvent(type: type, timestamp: context.environment.time.wallMilliseconds, data: data))
    case .finish: close()
    }
  }

  func close() {
    session?.finish()
    session = nil
  }

  private func open(_ scripts: [VerificationScript]) {
    close()
    number += 1
    let own = number
    let partner = (context.settings.omidPartner ?? "unknown").split(separator: "/", maxSplits: 1).map(String.init)
    session = context.environment.verification?.open(
      scripts,
      context: VerificationContext(
        adSessionID: context.environment.random.uuidText(), partnerName: partner.first ?? "unknown",
        partnerVersion: partner.count > 1 ? partner[1] : "unknown")
    ) { [weak self] script in
      if let self, number == own { scriptFailed(script) }
    }
  }
}
