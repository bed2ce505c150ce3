import Foundation
import TagManager
import Testing

@Suite("Recognising the form of a container")
struct RecognitionTests {
  static func decode(_ text: String, id: ContainerID? = nil) -> DecodeResult {
    ContainerDecoder.decode(Data(text.utf8), id: id)
  }

  @Test(
    "TM-110, TM-111, TM-112, TM-171: what is no container is refused by name",
    arguments: [
      ("", .emptyFile), ("\u{1F}", .unrecognisedFormat), ("PK\u{3}\u{4}rest", .zipArchive), ("<html>", .htmlDocument),
      ("\u{FEFF} \n<!doctype html><p>Log in", .htmlDocument),
      ("version https://git-lfs.github.com/spec/v1\n", .gitLFSPointer),
      ("[1]", .unrecognisedFormat), (" [1]", .unrecognisedFormat), ("\n[1]", .unrecognisedFormat),
      ("   ", .unrecognisedFormat), ("{", .malformedJSON), ("{}x", .malformedJSON), (#"{"a":1,}"#, .malformedJSON),
      (#"{"exportFormatVersion":2,"resource":{"macros":[]}}"#, .workspaceExport),
      (#"{"containerVersion":{}}"#, .workspaceExport), (#"{"container":{"containerId":"1"}}"#, .containerDescription),
      (#"{"container":{"publicId":"1"}}"#, .containerDescription),
      (#"{"container":{"usageContext":[]}}"#, .containerDescription), (#"{"resource":{}}"#, .incompleteResource),
      (#"{"resource":{"version":"1"}}"#, .incompleteResource),
      (#"{"parameters":{},"conditions":[]}"#, .remoteConfigTemplate),
      (#"{"format":"tagworks/2","resource":{"macros":[]}}"#, .newerFormat),
      (#"{"format":"tagworks/x","resource":{"macros":[]}}"#, .newerFormat),
      ("<?xml version=\"1.0\"?><html/>", .malformedPropertyList), ("<plist><array/></plist>", .flatRootNotDictionary),
      ("<plist><dict>", .malformedPropertyList), ("bplist00", .malformedPropertyList), ("hello", .malformedWire),
    ] as [(String, Diagnostic.Code)])
  func refuses(text: String, code: Diagnostic.Code) {
    let result = Self.decode(text)
    #expect(result.container == nil)
    #expect(result.error?.code == code)
    #expect(result.diagnostics.last?.severity == .error)
  }

  @Test("TM-110: compressed data is refused by name")
  func refusesGzip() {
    #expect(ContainerDecoder.decode(Data([0x1F, 0x8B, 8, 0]), id: nil).error?.code == .compressedFile)
  }

  @Test(
    "TM-110, TM-111: JSON is told apart by its top-level keys",
    arguments: [
      (#"{"resource":{"macros":[]}}"#, .compiledJSON),
      (#"{"resource":{"rules":[]},"container":{"usageContext":[]}}"#, .compiledJSON),
      (#"{"resource":7}"#, .flatJSON), (#"{"parameters":1}"#, .flatJSON), (#"{"conditions":1}"#, .flatJSON),
      (#"{"container":"x"}"#, .flatJSON), ("{}", .flatJSON), ("\u{FEFF}\r\n {}", .flatJSON),
      ("<plist version=\"1.0\"><dict/></plist>", .propertyList),
      ("\u{FEFF}<!DOCTYPE plist><plist><dict/></plist>", .propertyList),
    ] as [(String, ContainerForm)])
  func recognises(text: String, form: ContainerForm) {
    let result = Self.decode(text)
    #expect(result.form == form)
    #expect(result.error == nil)
    #expect(result.container?.semantics == (form == .compiledJSON ? .standard : .legacy))
  }

  @Test("A12: JSON that begins with a line feed is JSON, not binary")
  func lineFeedThenBrace() {
    // As a message this would be a key of 123 bytes, so it is made long enough to be one.
    let result = Self.decode(
      "\n{\"resource\":{\"macros\":[]},\"fingerprint\":\"\(String(repeating: "x", count: 200))\"}")
    #expect(result.form == .compiledJSON)
    #expect(result.error == nil)
  }

  @Test("TM-110: a binary container may begin with any field, 0A among them")
  func binaryFirstBytes() {
    let version = WireBuilder { $0.text(13, "7") }.bytes
    let keyFirst = WireBuilder {
      $0.text(1, "k"); $0.text(13, "7")
    }.bytes
    for bytes in [version, keyFirst] {
      let result = ContainerDecoder.decode(Data(bytes), id: nil)
      #expect(result.form == .binary)
      #expect(result.container?.version == "7")
    }
  }

  @Test("A5: an export is refused with the remedy")
  func exportMessage() {
    let error = Self.decode(#"{"exportFormatVersion":2}"#).error
    #expect(error?.message == "This is a workspace export, not a compiled container. Publish or compile it first.")
  }

  @Test(
    "G7, TM-154, TM-172: a container for the web is refused with its id", arguments: ["web", "server", "amp", "WEB"])
  func webContainer(context: String) {
    let text = #"{"resource":{"macros":[],"usageContext":["\#(context)"]}}"#
    let error = Self.decode(text, id: "GTM-X").error
    #expect(error?.code == .webContainer)
    #expect(error?.message == "Container GTM-X is for the web, not for apps.")
  }

  @Test(
    "TM-154: a container for another platform is used with a warning",
    arguments: [
      (["android"], "ios", true), (["ios"], "ios", false), (["ios_sdk_5"], "ios", false),
      (["android", "ios"], "ios", false),
      ([], "ios", false), (["android"], nil, false), (["android", "web"], nil, false),
    ] as [([String], String?, Bool)])
  func platforms(contexts: [String], platform: String?, isWarned: Bool) {
    let list = contexts.map { "\"\($0)\"" }.joined(separator: ",")
    let result = ContainerDecoder.decode(
      Array(#"{"resource":{"macros":[],"usageContext":[\#(list)]}}"#.utf8), id: nil, platform: platform)
    #expect(result.container?.usageContext == contexts)
    #expect(result.diagnostics.contains { $0.code == .platformMismatch && $0.severity == .warning } == isWarned)
  }

  @Test("TM-133: a file that names another container than the one asked for is refused")
  func mismatch() {
    let text = #"{"container":{"id":"GTM-A"},"resource":{"macros":[]}}"#
    #expect(Self.decode(text, id: "GTM-B").error?.code == .containerMismatch)
    #expect(Self.decode(text, id: "GTM-A").container?.id == "GTM-A")
    #expect(Self.decode(text).container?.id == "GTM-A")
  }

  @Test("TM-112: malformed JSON is told with its byte offset, counted from the first byte of the file")
  func offset() {
    #expect(Self.decode("\u{FEFF}\n{\"a\":01}").error?.location == "byte 10")
  }
}
