package import DurableStore
import Foundation
package import TagManager

/// Saved containers as files `<id>.twc` of one directory, each replaced as a whole (TM-210, TM-212).
package struct SavedContainerFiles: SavedContainerStore {
  private let directory: String

  /// Makes the directory if it is not there; removes what writers left behind that died while writing.
  package init(directory: String) throws(StoreError) {
    try StoreDirectory.prepare(directory)
    self.directory = directory
    removeLeftovers()
  }

  package func load(_ id: ContainerID, limit: Int) throws -> [UInt8]? {
    do throws(StoreError) { return try file(id).read(limit: limit) } catch {
      // A file beyond the limit is none of ours: the digest will not fit what is left of it.
      if error.code == .damaged { return [] }
      throw error
    }
  }

  package func save(_ bytes: [UInt8], for id: ContainerID) throws { try file(id).replace(with: bytes) }

  package func remove(_ id: ContainerID) throws { try file(id).remove() }

  private func file(_ id: ContainerID) -> AtomicFile { AtomicFile(path: "\(directory)/\(id.text).twc") }

  /// Temporary files are named `<file>.<process>.<number>`; those of processes that live are left alone.
  private func removeLeftovers() {
    // A directory that cannot be listed keeps its leftovers, which harm nobody.
    for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false).suffix(3)
      guard parts.count == 3, parts.first == "twc", let process = parts.dropFirst().first.flatMap({ Int32($0) }),
        kill(process, 0) != 0, errno == ESRCH
      else { continue }
      unlink("\(directory)/\(name)")
    }
  }
}
