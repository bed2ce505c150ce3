import Testing
import VideoAds

@testable import PlayerHost

@Suite struct SlotPlaybackTests {
  private let size = AdSize(width: 640, height: 360)

  private func prepared() -> SlotPlayback {
    var playback = SlotPlayback(needsPicture: true)
    _ = playback.handle(.prepared(duration: 6, size: size))
    return playback
  }

  private func showing() -> SlotPlayback {
    var playback = prepared()
    _ = playback.play() + playback.handle(.frame) + playback.handle(.running)
    return playback
  }

  @Test("VA-1101: ready while paused, the first frame when it runs and a picture is there, no position before")
  func order() {
    var playback = SlotPlayback(needsPicture: true)
    #expect(playback.handle(.frame) == [] && playback.handle(.position(0.1)) == [])
    #expect(playback.handle(.prepared(duration: 6, size: size)) == [.tell(.ready(duration: 6, size: size))])
    #expect(playback.handle(.prepared(duration: 6, size: size)) == [], "a seek prepares anew")
    #expect(playback.play() == [.run(true)] && playback.play() == [])
    #expect(playback.handle(.position(0)) == [])
    #expect(playback.handle(.running) == [.tell(.firstFrame(size: size))])
    #expect(playback.handle(.running) == [] && playback.handle(.frame) == [])
    #expect(playback.handle(.position(0.1)) == [.tell(.position(0.1))])
    #expect(playback.handle(.position(0.1)) == [], "the same position is no news")
    #expect(playback.handle(.end(position: 6)) == [.tell(.ended(position: 6))])
    #expect(playback.handle(.failure(.other)) == [] && playback.handle(.end(position: 6)) == [])
    #expect(playback.play() == [] && playback.pause() == [])
  }

  @Test("VA-1101: what plays before it is ready runs as soon as it is, and shows when its first picture comes")
  func early() {
    var playback = SlotPlayback(needsPicture: true)
    #expect(playback.play() == [])
    #expect(
      playback.handle(.prepared(duration: nil, size: size)) == [.tell(.ready(duration: nil, size: size)), .run(true)])
    #expect(playback.handle(.running) == [])
    #expect(playback.handle(.frame) == [.tell(.firstFrame(size: size))])
  }

  @Test("VA-1110: sound without a picture fails a video, and is the first frame of anything else")
  func sound() {
    var video = SlotPlayback(needsPicture: true)
    #expect(video.handle(.prepared(duration: 6, size: nil)) == [.tell(.failed(.unsupported)), .close])
    var other = SlotPlayback(needsPicture: false)
    _ = other.handle(.prepared(duration: 6, size: nil)) + other.play()
    #expect(other.handle(.running) == [.tell(.firstFrame(size: nil))])
  }

  @Test("VA-1110: filling before the first frame is preparing; later it is a wait, and the pipeline stands still")
  func filling() {
    var early = prepared()
    #expect(early.handle(.filled(10)) == [] && early.play() == [])
    #expect(early.handle(.filled(60)) == [] && early.handle(.filled(100)) == [.run(true)])
    var late = showing()
    #expect(late.handle(.filled(0)) == [.run(false), .tell(.bufferingBegan)])
    #expect(late.handle(.filled(50)) == [])
    #expect(late.handle(.filled(100)) == [.run(true), .tell(.bufferingEnded)])
    #expect(late.handle(.filled(100)) == [])
  }

  @Test("VA-1101: filling while paused is nobody's wait until it is to play")
  func fillingWhilePaused() {
    var playback = showing()
    #expect(playback.pause() == [.run(false)])
    #expect(playback.handle(.filled(0)) == [])
    #expect(playback.play() == [.tell(.bufferingBegan)])
    #expect(playback.handle(.filled(100)) == [.run(true), .tell(.bufferingEnded)])
  }

  @Test("VA-1101: paused before the first frame, it shows nothing")
  func pausedEarly() {
    var playback = prepared()
    _ = playback.play()
    #expect(playback.pause() == [.run(false)])
    #expect(playback.handle(.frame) == [] && playback.handle(.running) == [])
    #expect(playback.play() == [.run(true)] && playback.handle(.running) == [.tell(.firstFrame(size: size))])
  }

  @Test("VA-1101: how far media is there is told in steps, and only while it shows")
  func buffered() {
    var playback = prepared()
    #expect(playback.handle(.buffered(1)) == [])
    playback = showing()
    #expect(playback.handle(.buffered(1)) == [.tell(.buffered(to: 1))])
    #expect(playback.handle(.buffered(1.2)) == [] && playback.handle(.buffered(0.5)) == [])
    #expect(playback.handle(.buffered(1.25)) == [.tell(.buffered(to: 1.25))])
  }

  @Test("VA-775: an end before anything was shown is a failure")
  func endWithoutFrame() {
    var playback = prepared()
    _ = playback.play()
    #expect(playback.handle(.end(position: 0)) == [.tell(.failed(.decode)), .close])
  }
}
