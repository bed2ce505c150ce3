import DurableStore
import Foundation
import TestSupport
import Testing

@Suite struct FileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? Int) ?? 0
  }

  @Test("HQ-211: a file is made once, and replaced as a whole; nothing is left beside it")
  func atomicFile() throws {
    let file = AtomicFile(path: directory.file("a.json"))
    #expect(try file.read() == nil)
    #expect(try file.create(with: [1, 2, 3]))
    #expect(try file.create(with: [4]) == false)
    #expect(try file.read() == [1, 2, 3])
    try file.replace(with: [])
    #expect(try file.read() == [])
    let long = [UInt8](repeating: 7, count: 10_000)
    try file.replace(with: long)
    #expect(try file.read() == long)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a.json"])
    #expect(try mode(directory.file("a.json")) == 0o600)
  }

  @Test("A file that is longer than anybody writes is not read into memory")
  func limit() throws {
    let file = AtomicFile(path: directory.file("a"))
    try file.replace(with: [UInt8](repeating: 0, count: 5_000))
    #expect {
      try file.read(limit: 4_999)
    } throws: {
      ($0 as? StoreError)?.code == .damaged
    }
  }

  @Test("HQ-211: of many that make a file at once, one wins")
  func race() throws {
    let file = AtomicFile(path: directory.file("a"))
    let wins = NSLock()
    nonisolated(unsafe) var winners: [UInt8] = []
    DispatchQueue.concurrentPerform(iterations: 16) { index in
      if (try? file.create(with: [UInt8(index)])) == true { wins.withLock { winners.append(UInt8(index)) } }
    }
    #expect(winners.count == 1)
    #expect(try file.read() == winners)
  }

  @Test("HQ-321: a lock excludes others until it is released, by a call or by the end of its holder")
  func fileLock() throws {
    let path = directory.file("lane-1.lock")
    var lock = try FileLock.take(path)
    #expect(lock != nil)
    #expect(try FileLock.take(path) == nil)
    lock?.release()
    var next = try FileLock.take(path)
    #expect(next != nil)
    #expect(try FileLock.take(path, shared: true) == nil)
    next = nil
    let shared = try (FileLock.take(path, shared: true), FileLock.take(path, shared: true))
    #expect(shared.0 != nil && shared.1 != nil)
    lock = nil
  }

  @Test("HQ-321: the death of a process releases its lock")
  func lockOfTheDead() async throws {
    let path = directory.file("lane-1.lock")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let lock = try FileLock.take(path)
      guard lock != nil else { return }
      kill(getpid(), SIGKILL)
    }
    #expect(try FileLock.take(path) != nil)
  }

  @Test("HQ-300: directories are made for their owner alone, with what is missing above them")
  func directories() throws {
    let path = directory.file("a/b/c")
    try StoreDirectory.prepare(path)
    try StoreDirectory.prepare(path)
    #expect(try mode(path) == 0o700)
    #expect(try mode(directory.file("a")) == 0o700)
    try StoreDirectory.prepareFile(path + "/hits.sqlite3")
    #expect(try mode(path + "/hits.sqlite3") == 0o600)
  }

  @Test("HQ-302: a symbolic link is refused as insecure, a file in the place of a directory as unusable")
  func oddPlaces() throws {
    try StoreDirectory.prepare(directory.file("real"))
    try FileManager.default.createSymbolicLink(
      atPath: directory.file("link"), withDestinationPath: directory.file("real"))
    try Data().write(to: URL(fileURLWithPath: directory.file("file")))
    #expect {
      try StoreDirectory.prepare(directory.file("link"))
    } throws: {
      ($0 as? StoreError)?.code == .insecure
    }
    #expect {
      try StoreDirectory.prepareFile(directory.file("link"))
    } throws: {
      ($0 as? StoreError)?.code == .insecure
    }
    for path in ["file", "file/below"] {
      #expect {
        try StoreDirectory.prepare(directory.file(path))
      } throws: {
        ($0 as? StoreError)?.code == .cannotOpen
      }
    }
  }
}
