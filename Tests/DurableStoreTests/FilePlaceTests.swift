import DurableStore
import Foundation
import TestSupport
import Testing

/// Whether an open file still has its name (HQ-353).
@Suite struct FilePlaceTests {
  private let directory: TemporaryDirectory
  private let path: String
  private static let second: UInt64 = 1_000_000_000

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: directory.file("place"), withIntermediateDirectories: true)
    path = try directory.write("store", to: "place/store")
  }

  @Test("A file that stays where it is has its name, also when it is written to")
  func stays() throws {
    let place = try #require(FilePlace(path: path))
    #expect(place.isHeld(at: 0))
    try Data("more".utf8).write(to: URL(fileURLWithPath: path), options: [])
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.write(contentsOf: Data("again".utf8))
    #expect(place.isHeld(at: 1))
    #expect(place.isHeld(at: 5 * Self.second))
  }

  @Test("A removed file, a renamed one and one in whose place another stands are seen at once")
  func goes() throws {
    let changes: [(String) throws -> Void] = [
      { try FileManager.default.removeItem(atPath: $0) },
      { try FileManager.default.moveItem(atPath: $0, toPath: $0 + ".old") },
      {
        try FileManager.default.moveItem(atPath: $0, toPath: $0 + ".older")
        try Data("other".utf8).write(to: URL(fileURLWithPath: $0))
      },
    ]
    for change in changes {
      try Data("store".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
      let place = try #require(FilePlace(path: path))
      #expect(place.isHeld(at: 0))
      #expect(place.isHeld(at: 1))
      try change(path)
      #expect(!place.isHeld(at: 2))
      #expect(!place.isHeld(at: 3))
    }
  }

  @Test("A directory that is moved is seen within a second")
  func directoryGoes() throws {
    let place = try #require(FilePlace(path: path))
    #expect(place.isHeld(at: 0))
    #expect(place.isHeld(at: 30_000_000))
    try FileManager.default.moveItem(atPath: directory.file("place"), toPath: directory.file("elsewhere"))
    #expect(!place.isHeld(at: 30_000_000 + Self.second))
    try FileManager.default.moveItem(atPath: directory.file("elsewhere"), toPath: directory.file("place"))
    #expect(place.isHeld(at: 30_000_000 + 2 * Self.second))
  }
}
