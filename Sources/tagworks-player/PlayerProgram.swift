#if os(Linux)
  import Foundation
  import HTTPClient
  import PlayerHost
  import VideoAds

  /// Plays for the program that started it.
  ///
  /// It takes requests on standard input and reports on standard output, each a JSON object a line, and ends with its
  /// standard input.
  @main
  enum PlayerProgram {
    @MainActor static func main() {
      let reports = ReportWriter()
      let requests = RequestReader()
      guard case .open(let window)? = requests.first() else {
        FileHandle.standardError.write(
          Data("tagworks-player: is started by 'tagworks ads play --player gstreamer'\n".utf8))
        exit(2)
      }
      guard let window else { return runHeadless(requests, reports) }
      do throws(GTKLoop.Failure) {
        let loop = try GTKLoop()
        let shown = PlayerWindow(
          title: window.title, size: window.size, companions: window.companions, transport: PlatformTransport(),
          loop: loop)
        guard let shown, let stage = WindowStage(shown, window, reports) else { return refuse(reports) }
        requests.follow({ stage.perform($0) }) { loop.stop() }
        shown.onClose = {
          reports.write(.closed)
          loop.stop()
        }
        loop.run()
      } catch {
        reports.write(.refused(error.description))
      }
    }

    @MainActor
    private static func runHeadless(_ requests: RequestReader, _ reports: ReportWriter) {
      guard let player = GStreamerPlayer() else { return refuse(reports) }
      let stage = HeadlessStage(player, reports)
      requests.follow({ stage.perform($0) }) { exit(0) }
      dispatchMain()
    }

    @MainActor
    private static func refuse(_ reports: ReportWriter) {
      reports.write(.refused("GStreamer, or a plug-in that it needs to play MP4, is not installed"))
    }
  }
#else
  @main
  enum PlayerProgram {
    static func main() { print("tagworks-player runs on Linux only") }
  }
#endif
