/// What a program says to the one that plays for it, a JSON object a line.
///
/// The port of players across two processes: who decides links no media library and no toolkit.
package enum PlayerRequest: Sendable, Codable {
  /// The first line: with a window for the video and one for each companion, or without.
  case open(window: Window?)
  case load(url: String, type: String?, slot: AdSlot, token: Int)
  case play(AdSlot)
  case pause(AdSlot)
  case stop(AdSlot)
  case seek(AdSlot, time: Double)
  case sound(volume: Float, isMuted: Bool)
  /// What lies over the ad now.
  case overlay(OverlayModel?)
  /// Fills the companion slot at a place; nil empties it.
  case companion(Int, VAST.Companion?)
  /// Opens a page for the person.
  case link(String)
  /// Content runs, or stands still.
  case content(isPlaying: Bool)

  /// The window to open.
  package struct Window: Sendable, Codable {
    package var title: String
    package var size: AdSize
    package var companions: [AdSize]
    /// What plays as content; nil for a black picture.
    package var content: String?

    package init(title: String, size: AdSize, companions: [AdSize], content: String?) {
      self.title = title
      self.size = size
      self.companions = companions
      self.content = content
    }
  }
}

/// What the program that plays says.
package enum PlayerReport: Sendable, Codable {
  /// The answer to `open`.
  case opened(AdPlayerCapabilities)
  /// It cannot play at all; nothing follows.
  case refused(String)
  case event(token: Int, AdPlayerEvent)
  case tap(OverlayTarget, AdPoint?)
  case companionShown(Int, Bool)
  case companionClicked(Int)
  /// The size of the video in the window.
  case resized(AdSize)
  /// The page that was opened is closed, or could not be opened.
  case linkClosed
  /// The person closed the window.
  case closed
}
