import DurableStore
import Foundation
import TagManager

/// What a site's files themselves tell, when its manifest is gone.
struct SiteFiles {
  private let directory: String

  init(_ directory: String) { self.directory = directory }

  /// The greatest publication number in a container's files; 0 when there are none.
  ///
  /// Numbers that began again would be refused by the apps that know a greater one (TM-441).
  func lastSequence(of id: ContainerID) throws(ConsoleError) -> Int64 {
    let paths = paths(of: id)
    guard !paths.isEmpty else { return 0 }
    guard let last = paths.compactMap(sequence).max() else {
      throw ConsoleError(
        code: .siteFailed,
        message: "\(directory): the manifest does not know \(id), and no file of it tells the number of its last "
          + "publication, below which apps take none; to begin anew, move .\(SitePath.live(id)) and "
          + ".\(SitePath.versions(id)) away")
    }
    return last
  }

  private func paths(of id: ContainerID) -> [String] {
    let folder = directory + SitePath.versions(id)
    // A folder that is not there has no files.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let live = directory + SitePath.live(id)
    return names.filter { $0.hasSuffix(".json") }.map { folder + $0 }
      + (FileManager.default.fileExists(atPath: live) ? [live] : [])
  }

  /// Nil for a file that cannot be read: another one may tell.
  private func sequence(inFile path: String) -> Int64? {
    guard let bytes = try? AtomicFile(path: path).read(limit: DecodeLimits.standard.bytes) else { return nil }
    return ContainerDecoder.decode(bytes, id: nil).container?.sequence
  }
}
