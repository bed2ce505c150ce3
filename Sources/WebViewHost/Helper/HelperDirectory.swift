#if !canImport(Darwin)
  import Foundation

  /// A directory in which a helper's display makes its socket, and which is removed after the helper, however it ended.
  struct HelperDirectory {
    let path: String

    /// Makes one that this user alone can enter; nil when the system refuses.
    init?() {
      // A socket's path has at most 107 bytes, which a temporary directory's own may exceed.
      for parent in [FileManager.default.temporaryDirectory.path, "/tmp"] where parent.utf8.count < 50 {
        var template = Array("\(parent)/tagworks-webhost-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { continue }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        return
      }
      return nil
    }

    // What stays of it harms nobody.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
  }
#endif
