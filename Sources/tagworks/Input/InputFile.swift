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

  private static func reason(of error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileNoSuchFile, .fileReadNoSuchFile: "there is no such file"
    case .fileReadNoPermission: "may not be read"
    default: "cannot be read; is it a file?"
    }
  }
}
