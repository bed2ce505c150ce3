import Foundation
import TestSupport

/// The processes that a test has started, as the system lists them.
struct Processes {
  /// One of them.
  struct Entry: Hashable {
    var id: pid_t
    var parent: pid_t
    var name: String
    /// Which process of that number it is.
    var start: String
    var isZombie: Bool

    /// A variable of the environment that it was started with.
    func variable(_ name: String) -> String? {
      let variables = FileManager.default.contents(atPath: "/proc/\(id)/environ")?.split(separator: 0) ?? []
      return variables.map { String(decoding: $0, as: UTF8.self) }.first { $0.hasPrefix(name + "=") }.map {
        String($0.dropFirst(name.count + 1))
      }
    }
  }

  /// All below this process.
  static func all() -> [Entry] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let entries = names.compactMap { pid_t($0) }.compactMap(entry)
    var found: [Entry] = []
    var parents: Set<pid_t> = [getpid()]
    while true {
      let next = entries.filter { parents.contains($0.parent) && !found.contains($0) }
      guard !next.isEmpty else { return found }
      found += next
      parents = Set(next.map(\.id))
    }
  }

  /// Those of a name, as the kernel cuts it.
  static func named(_ name: String) -> [Entry] { all().filter { $0.name == String(name.prefix(15)) && !$0.isZombie } }

  /// Waits until none of some is left; throws when they do not end.
  static func end(of processes: [Entry], within limit: Duration = .seconds(15)) async throws {
    let deadline = SuspendingClock.now + limit
    while true {
      let left = processes.filter { process in
        entry(process.id).map { $0.start == process.start && !$0.isZombie } ?? false
      }
      if left.isEmpty { return }
      guard SuspendingClock.now < deadline else {
        throw ContractFailure(description: "still there: \(left.map(\.name))")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  private static func entry(_ id: pid_t) -> Entry? {
    // pid (name) state parent … with the start time as field 22; a name may hold anything.
    guard let line = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
      let open = line.firstIndex(of: "("), let close = line.lastIndex(of: ")")
    else { return nil }
    let fields = line[line.index(after: close)...].split(separator: " ")
    guard fields.count > 19, let parent = pid_t(fields[1]) else { return nil }
    return Entry(
      id: id, parent: parent, name: String(line[line.index(after: open)..<close]), start: String(fields[19]),
      isZombie: fields[0] == "Z")
  }
}
