#if !canImport(Darwin)
  import Foundation
  import Testing

  @testable import WebViewHost

  @Suite("The directory of a helper's display") struct HelperDirectoryTests {
    /// A place as a helper's directory has it, of some age.
    private static func place(isDirectory: Bool = true, seconds: Double) throws -> String {
      let path = FileManager.default.temporaryDirectory.path + "/tagworks-webhost-\(UUID().uuidString)"
      if isDirectory {
        try FileManager.default.createDirectory(atPath: path + "/dconf", withIntermediateDirectories: true)
        try Data([1]).write(to: URL(fileURLWithPath: path + "/socket"))
      } else {
        try Data([1]).write(to: URL(fileURLWithPath: path))
      }
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: path)
      return path
    }

    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test(
      "WT-731: what killed apps left is removed before another is made; what is in use, young or no directory stays")
    func leftovers() throws {
      let left = try Self.place(seconds: 700)
      let (young, file) = (try Self.place(seconds: 60), try Self.place(isDirectory: false, seconds: 700))
      let link = left + "-link"
      let own = try #require(HelperDirectory())
      defer {
        own.remove()
        for path in [young, file, link] { try? FileManager.default.removeItem(atPath: path) }
      }
      #expect(isThere(own.path) && !isThere(left))

      let again = try Self.place(seconds: 700)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: again)
      let lock = open(again, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      #expect(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -700)], ofItemAtPath: own.path)
      try #require(HelperDirectory()).remove()
      #expect(isThere(again) && isThere(link) && isThere(own.path) && isThere(young) && isThere(file))
      close(lock)
      try #require(HelperDirectory()).remove()
      #expect(!isThere(again))
    }

    @Test("WT-731: it is its user's alone, and gone with its end")
    func itself() throws {
      let directory = try #require(HelperDirectory())
      var status = stat()
      #expect(stat(directory.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
      directory.remove()
      #expect(!isThere(directory.path))
    }
  }
#endif
