import Foundation

/// What the figures were measured on.
enum Machine {
  static var text: String {
    let memory = Double(ProcessInfo.processInfo.physicalMemory) / Double(1 << 30)
    return "\(ProcessInfo.processInfo.activeProcessorCount) cores, \(processor), "
      + String(format: "%.1f GiB memory", memory) + ", \(ProcessInfo.processInfo.operatingSystemVersionString)"
  }

  private static var processor: String {
    guard let facts = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8),
      let line = facts.split(separator: "\n").first(where: { $0.hasPrefix("model name") }),
      let colon = line.firstIndex(of: ":")
    else { return "processor not known" }
    return line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
  }
}
