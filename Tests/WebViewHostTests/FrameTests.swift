import Foundation
import Hits
import Testing
import WebTags

@testable import WebViewHost

@Suite("Frames") struct FrameTests {
  @Test("WT-731: a frame is a length of four bytes, big-endian, and so much JSON")
  func layout() throws {
    #expect(try Frame.bytes(of: Array("{}".utf8)) == [0, 0, 0, 2, 0x7B, 0x7D])
    #expect(try Frame.bytes(of: [UInt8](repeating: 32, count: 0x012345)).prefix(4) == [0, 1, 0x23, 0x45])
  }

  @Test("WT-731: frames come out whole, however the bytes are cut", arguments: [1, 2, 3, 5, 7, 64])
  func cuts(size: Int) throws {
    let texts = ["a", "bc", String(repeating: "d", count: 300), "e"]
    var bytes = try texts.flatMap { try Frame.bytes(of: Array($0.utf8)) }[...]
    var reader = FrameReader()
    var read: [String] = []
    while !bytes.isEmpty {
      reader.append(bytes.prefix(size))
      bytes = bytes.dropFirst(size)
      while let frame = try reader.next() { read.append(String(decoding: frame, as: UTF8.self)) }
    }
    #expect(read == texts)
    #expect(!reader.isInsideFrame)
  }

  @Test(
    "WT-731: a length that no frame has is an error before anything is allocated",
    arguments: [[0, 0, 0, 0], [1, 0, 0, 1], [0x7F, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]])
  func lengths(bytes: [UInt8]) {
    var reader = FrameReader()
    reader.append(bytes)
    #expect(throws: FrameError.self) { try reader.next() }
  }

  @Test("WT-731: the longest frame is 16 MiB; a longer one is not made")
  func longest() throws {
    var reader = FrameReader()
    reader.append([1, 0, 0, 0])
    #expect(try reader.next() == nil)
    #expect(reader.isInsideFrame)
    #expect(throws: FrameError(.tooLong, "a frame of 16777217 bytes")) {
      try Frame.bytes(of: repeatElement(UInt8(32), count: Frame.longest + 1))
    }
    #expect(throws: FrameError.self) { try Frame.bytes(of: []) }
  }

  @Test(
    "WT-731: what is no message is an error, never a crash",
    arguments: [
      "", "{", "null", "[]", "{}", #"{"done":{}}"#, #"{"done":{"id":-1,"outcome":{"nothing":{}}}}"#, "\u{0}\u{1}",
      #"{"event":{"page":1e99,"event":{}}}"#, #"{"hello":{"version":"1"}}"#, #"{"unknown":{"id":1}}"#,
    ])
  func garbage(text: String) {
    #expect(throws: FrameError.self) { try HelperAnswer(json: ArraySlice(text.utf8)) }
    #expect(throws: FrameError.self) { try HelperRequest(json: ArraySlice(text.utf8)) }
  }

  @Test("WT-731: a message that nests without end is an error")
  func depth() {
    for opening in ["[", #"{"a":"#] {
      let text = String(repeating: opening, count: 100_000)
      #expect(throws: FrameError.self) { try HelperAnswer(json: ArraySlice(text.utf8)) }
    }
  }
}
