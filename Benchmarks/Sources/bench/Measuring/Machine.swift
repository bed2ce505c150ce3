import Foundation

/// What the figures were measured on.
enum Machine {
  static var text: String {
    let memory = Double(ProcessInfo.processInfo.physicalMemory) / Double(1 << 30)
    return "\(ProcessInfo.processInfo.activeProcessorCount) cores, \(processor), "
      + String(format: "%.1f GiB memory", memory) + ", \(ProcessInfo.processInfo.operatingSystemVersionString)"
  }

  /// How many threads wanted to run in the last minute, as text: above the number of cores, wall times are too long.
  static var load: String {
    var loads = [0.0]
    return getloadavg(&loads, 1) == 1 ? String(format: "%.1f", loads[0]) : "not known"
  }

  private static var processor: String {
    guard let facts = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8),
      let line = facts.split(separator: "\n").first(where: { $0.hasPrefix("model name") }),
      let colon = line.firstIndex(of: ":")
    else { return "processor not known" }
    return line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
  }
}
