import Foundation
import Synchronization
import WebKitGTKHost
import WebTags
import WebViewHost

/// `tagworks-webhost`: the hidden page's engine in a process of its own, behind standard input and output (WT-731).
///
/// It is started by `WebViewHost`, one for an app, and ends with its input. It has no arguments.
@main
enum Webhost {
  /// How long the pages may take to close when the app has gone.
  private static let mostSecondsToClose: UInt32 = 2
  private static let isEnding = Atomic(false)

  static func main() {
    guard CommandLine.arguments.count == 1, isatty(0) == 0 else {
      print("tagworks-webhost is started by an app that uses Tagworks; it does nothing by itself.")
      exit(CommandLine.arguments.dropFirst() == ["--help"] ? 0 : 2)
    }
    signal(SIGPIPE, SIG_IGN)
    HelperDirectory.removeAtExit()
    let output = Descriptors.takeOutput()
    let service = HelperService(output: output) { WebKitGTKHostFactory(settings: $0) }
    let end: @Sendable () -> Void = { Self.end(service) }
    let termination = ParentDeath.watch(then: end)
    // Once the engine runs, its thread reads: a call has one thread less to go through.
    while service.read(0) {
      if EngineInput.watch(0, read: { service.read(0) }, end: end) {
        withExtendedLifetime(termination) { while true { pause() } }
      }
    }
    end()
    withExtendedLifetime(termination) { while true { pause() } }
  }

  /// Closes the pages and ends the process; the end of the input and that of the parent come together, and a second
  /// `exit` would cut short what the first one removes.
  private static func end(_ service: HelperService) {
    guard !isEnding.exchange(true, ordering: .relaxed) else { return }
    // Whatever hangs, the process ends.
    alarm(mostSecondsToClose)
    Task {
      await service.close()
      exit(0)
    }
  }
}
