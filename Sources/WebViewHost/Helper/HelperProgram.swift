#if !canImport(Darwin)
  import Foundation
  import WebTags

  /// Where the helper's executable is (WT-731).
  enum HelperProgram {
    static let name = "tagworks-webhost"
    private static let variable = "TAGWORKS_WEBHOST"

    /// Finds it: by the setting, by `TAGWORKS_WEBHOST`, or beside the app.
    static func find(_ setting: String?) throws(PageHostError) -> String {
      let environment = ProcessInfo.processInfo.environment[variable].flatMap { $0.isEmpty ? nil : $0 }
      if let path = setting ?? environment {
        guard FileManager.default.isExecutableFile(atPath: path) else {
          throw PageHostError(.unavailable, "there is no program at \(path), where \(name) should be")
        }
        return path
      }
      for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") {
        return "\(folder)/\(name)"
      }
      throw PageHostError(
        .unavailable, "\(name) is not beside this program; build it, or name it in \(variable)")
    }

    private static var folders: [String] {
      let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      let called = URL(fileURLWithPath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
      return [own, called].map { $0.deletingLastPathComponent().path }
    }
  }
#endif
