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
    #expect(try reader.next() == nil)
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
    reader.append(repeatElement(UInt8(32), count: Frame.longest - 1))
    #expect(try reader.next() == nil)
    reader.append([32])
    #expect(try reader.next()?.count == Frame.longest)
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

  @Test(
    "WT-731: a call is a list, and so are its result and a page's message if they are not long; they come back the same",
    arguments: [(2_000, "["), (100_000, "{")])
  func lists(count: Int, first: Character) throws {
    let text = "\u{0}\u{1}\"\\\u{2028}é🙂</script>\n" + String(repeating: "x", count: count)
    let call = HelperRequest.page(page: 3, id: 1 << 52, operation: .call(path: "a.b", argument: text))
    let bytes = try call.frame()
    #expect(bytes[4] == UInt8(ascii: "["))
    #expect(try HelperAnswer.done(id: 7, outcome: .text(text)).frame()[4] == first.asciiValue)
    guard case .page(3, 1 << 52, .call("a.b", text)) = try HelperRequest(json: bytes[4...]) else {
      Issue.record("another call")
      return
    }
    guard
      case .done(7, .text(text)) = try HelperAnswer(json: HelperAnswer.done(id: 7, outcome: .text(text)).frame()[4...])
    else {
      Issue.record("another result")
      return
    }
    for frame in [PageFrame.unknown, PageFrame(isMain: true, origin: "https://a.example")] {
      for load in [LoadID(rawValue: 5), nil] {
        let event = PageEvent(load: load, .message(name: "tagworks", body: text, frame: frame))
        guard case .event(2, event) = try HelperAnswer(json: HelperAnswer.event(page: 2, event: event).frame()[4...])
        else {
          Issue.record("another message")
          return
        }
      }
    }
  }

  @Test(
    "WT-731: a list that is no message is an error",
    arguments: [
      "[]", "[1]", "[1,2]", "[-1,\"a\"]", "[1,\"a\",2]", "[1,1.5,\"a\",\"b\"]", "[1,2,3,4]", "[[1],2,\"a\",\"b\"]",
      "[1,\"a\"", "[1,\"a\"]x", "[null,null,null,null]", "[1,2,\"a\",\"b\"", "[1,2,\"]", "[1,2,a,3]", "[1,2,\",3]",
      "[18446744073709551616,2,\"a\",\"b\"]",
    ])
  func badLists(text: String) {
    #expect(throws: FrameError.self) { try HelperAnswer(json: ArraySlice(text.utf8)) }
    #expect(throws: FrameError.self) { try HelperRequest(json: ArraySlice(text.utf8)) }
  }

  @Test(
    "WT-731: an argument is what stands between the path and the end, be it JSON or not",
    arguments: [
      "", "1", "]", "]]", ",", "\"a\",2", "{\"a\":[1,2]}", "no JSON", "\n", "\u{0}",
    ])
  func arguments(text: String) throws {
    let call = HelperRequest.page(page: 1, id: 2, operation: .call(path: "__tagworks.deliver", argument: text))
    guard case .page(1, 2, .call("__tagworks.deliver", text)) = try HelperRequest(json: call.frame()[4...]) else {
      Issue.record("another call")
      return
    }
    #expect(throws: FrameError.self) { try HelperAnswer(json: ArraySlice("[1,2,\"a\",\"b\",5]".utf8)) }
  }

  @Test("WT-731: a path that is none does not change what a call is", arguments: ["a\",1,\"b", "", "a,b", "\\"])
  func paths(path: String) throws {
    let call = HelperRequest.page(page: 1, id: 2, operation: .call(path: path, argument: "1"))
    guard case .page(1, 2, .call(path, "1")) = try HelperRequest(json: call.frame()[4...]) else {
      Issue.record("another call")
      return
    }
  }

  @Test("WT-731: a message that nests without end is an error")
  func depth() {
    for opening in ["[", #"{"a":"#] {
      let text = String(repeating: opening, count: 100_000)
      #expect(throws: FrameError.self) { try HelperAnswer(json: ArraySlice(text.utf8)) }
    }
  }
}
