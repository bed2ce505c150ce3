import Hits
import TestSupport
import Testing

@testable import PlayerHost

@Suite struct ImageSizeTests {
  private static func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
    let sides = [width, height].flatMap { side in (0..<4).map { UInt8(truncatingIfNeeded: side >> (24 - 8 * $0)) } }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + sides + [8, 6, 0, 0, 0]
  }

  @Test("VA-1404: the size of PNG, GIF and JPEG is known before they are decoded")
  func sizes() {
    #expect(ImageSize(of: Self.png(300, 250)).map { [$0.width, $0.height] } == [300, 250])
    #expect(ImageSize(of: Array("GIF89a".utf8) + [0x2C, 1, 0xFA, 0]).map { [$0.width, $0.height] } == [300, 250])
    let jpeg: [UInt8] = [
      0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC4, 0, 3, 9, 0xFF, 0xC2, 0, 17, 8, 0, 250, 1, 0x2C, 3, 1, 1, 0, 2, 1,
    ]
    #expect(ImageSize(of: jpeg).map { [$0.width, $0.height] } == [300, 250])
  }

  @Test("VA-1404: what is too large, empty or no image is not decoded")
  func refused() {
    #expect(ImageSize(of: Self.png(4_097, 1))?.isAcceptable == false)
    #expect(ImageSize(of: Self.png(0, 10))?.isAcceptable == false)
    #expect(ImageSize(of: Self.png(.max, .max))?.isAcceptable == false)
    for bytes in [[], Array("<svg/>".utf8), [0xFF, 0xD8, 0xFF, 0xE0, 0, 0], [0xFF, 0xD8, 0xFF]] as [[UInt8]] {
      #expect(ImageSize(of: bytes) == nil)
    }
  }

  @Test("VA-1406: no beginning of an image, and no changed byte, traps")
  func damaged() {
    let random = SeededRandomSource(seed: 5)
    let whole = Self.png(300, 250)
    for length in 0...whole.count { _ = ImageSize(of: Array(whole.prefix(length))) }
    for _ in 0..<2_000 {
      var bytes = (0..<40).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      (bytes[0], bytes[1], bytes[2]) = (0xFF, 0xD8, 0xFF)
      _ = ImageSize(of: bytes)
    }
  }

  @Test("VA-861: an image that does not come, or is none, is told by its absence")
  func fetching() async throws {
    let images = ImageFetch(
      transport: ScriptedTransport { request in
        switch request.url.split(separator: "/").last {
        case "good": .response(HTTPResponse(status: 200, body: Self.png(20, 20), url: request.url))
        case "text": .response(HTTPResponse(status: 200, body: [1, 2, 3], url: request.url))
        default: .status(404)
        }
      })
    #expect(await images.image("https://i.test/good") == Self.png(20, 20))
    #expect(await images.image("https://i.test/text") == nil)
    #expect(await images.image("https://i.test/none") == nil)
  }
}
