#if os(Linux)
  import Dispatch
  import Foundation
  import Hits
  import VideoAds

  /// One pipeline and the thread that runs it, kept for one load after another (VA-1110).
  ///
  /// Its calls return at once; what becomes of a load comes on the main actor, in order.
  final class MediaPipeline: Sendable {
    /// What it is to play.
    struct Source: Sendable {
      var url: String
      var needsPicture: Bool
      /// Whether a file of this machine may be played: content that the app names, never an ad (VA-1402).
      var allowsFiles = false
    }

    enum Command: Sendable {
      case load(Source, AdPlayerToken)
      case play
      case pause
      case stop
      case seek(Double)
      case sound(volume: Double, isMuted: Bool)
      case quit
    }

    private let mailbox: PipelineMailbox

    /// Makes a pipeline; nil when GStreamer or what it needs is not installed.
    init?(_ output: MediaOutput, report: @escaping @MainActor (AdPlayerToken, AdPlayerEvent) -> Void) {
      let told: @Sendable (AdPlayerToken, AdPlayerEvent) -> Void = { token, event in
        // The main queue keeps the order; tasks do not promise it.
        DispatchQueue.main.async { MainActor.assumeIsolated { report(token, event) } }
      }
      guard let mailbox = PipelineMailbox.make(output) else { return nil }
      self.mailbox = mailbox
      let thread = Thread { PipelineThread(mailbox, told).run() }
      thread.name = "media"
      thread.start()
    }

    deinit { mailbox.put(.quit) }

    func perform(_ command: Command) { mailbox.put(command) }
  }
#endif
