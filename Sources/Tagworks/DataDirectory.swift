import Foundation

/// Where an app's containers and values are kept (TM-210).
enum DataDirectory {
  /// The platform's own place for an app.
  static func standard(appID: String, variables: [String: String] = ProcessInfo.processInfo.environment) -> String {
    #if canImport(Darwin)
      let base = NSSearchPathForDirectoriesInDomains(.applicationSupportDirectory, .userDomainMask, true).first
      return (base ?? NSHomeDirectory() + "/Library/Application Support") + "/Tagworks"
    #else
      let data = variables["XDG_DATA_HOME"] ?? ""
      // The base directory specification: a path that is not absolute counts as not set.
      return (data.hasPrefix("/") ? data : NSHomeDirectory() + "/.local/share") + "/tagworks/" + folder(appID)
    #endif
  }

  /// An app's id as one folder's name.
  private static func folder(_ appID: String) -> String {
    let name = appID.replacingOccurrences(of: "/", with: "_")
    return name.isEmpty || name == "." || name == ".." ? "app" : name
  }
}
