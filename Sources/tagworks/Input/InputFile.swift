import Foundation

/// A file named on the command line.
struct InputFile {
  let path: String

  /// Its bytes, up to a limit; what lies behind is not read.
  func data(limit: Int) throws(CommandFailure) -> Data {
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }  // nothing was written, so nothing can be lost
      return try handle.read(upToCount: limit) ?? Data()
    } catch {
      throw CommandFailure("\(path): \(Self.reason(of: error))", status: .unavailable)
    }
  }

  /// The bytes of a file, or of standard input for `-`.
  ///
  /// - Throws: a failure when there are more than the limit.
  static func bytes(path: String, limit: Int) throws(CommandFailure) -> [UInt8] {
    let bytes = try start(path: path, limit: limit + 1)
    guard bytes.count <= limit else { throw CommandFailure("\(path): is larger than \(limit) bytes") }
    return bytes
  }

  /// The first bytes of a file, or of standard input for `-`, up to a limit.
  static func start(path: String, limit: Int) throws(CommandFailure) -> [UInt8] {
    guard path == "-" else { return Array(try InputFile(path: path).data(limit: limit)) }
    do { return Array(try FileHandle.standardInput.read(upToCount: limit) ?? Data()) } catch {
      throw CommandFailure("standard input cannot be read", status: .unavailable)
    }
  }

  private static func reason(of error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileNoSuchFile, .fileReadNoSuchFile: "there is no such file"
    case .fileReadNoPermission: "may not be read"
    default: "cannot be read; is it a file?"
    }
  }
}
