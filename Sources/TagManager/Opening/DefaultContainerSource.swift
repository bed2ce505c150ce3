public import Foundation

/// Where the containers are that an app ships with (TM-200).
public protocol DefaultContainerSource: Sendable {
  /// The place as a message names it, such as a directory's path.
  var place: String { get }
  /// The bytes of a file, at most `limit` and one more; nil when there is no such file.
  func data(named name: String, limit: Int) throws -> Data?
  /// The names of the files in the place, to find misnamed ones (TM-203).
  func names() throws -> [String]
}

/// Default containers in memory, for tests and for apps that bring the bytes themselves.
public struct InMemoryDefaultContainers: DefaultContainerSource {
  /// The bytes by file name, such as `GTM-XXXX` or `GTM-XXXX.json`.
  public var files: [String: Data]

  /// Takes the files.
  public init(_ files: [String: Data] = [:]) { self.files = files }

  /// Names no directory.
  public var place: String { "memory" }
  /// The bytes of a file.
  public func data(named name: String, limit: Int) -> Data? { files[name]?.prefix(limit + 1) }
  /// The names of the files.
  public func names() -> [String] { files.keys.sorted() }
}

/// Default containers in a directory.
public struct DirectoryDefaultContainers: DefaultContainerSource {
  private let directory: URL

  /// Takes a directory; it need not exist.
  public init(path: String) { directory = URL(fileURLWithPath: path, isDirectory: true) }

  /// The directory's path.
  public var place: String { directory.path }

  /// Reads a file, never past the limit; nil when it does not exist.
  public func data(named name: String, limit: Int) throws -> Data? {
    let file = directory.appendingPathComponent(name)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }  // nothing was written, so nothing can be lost
    return try handle.read(upToCount: limit + 1) ?? Data()
  }

  /// The names of the files; none when the directory does not exist.
  public func names() throws -> [String] {
    guard FileManager.default.fileExists(atPath: directory.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }
}
