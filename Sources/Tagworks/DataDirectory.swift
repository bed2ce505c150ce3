import DurableStore
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

  /// Makes a directory for its owner alone; on Apple's platforms it is kept out of backups.
  static func prepare(_ path: String) throws(StoreError) {
    try StoreDirectory.prepare(path)
    #if canImport(Darwin)
      var url = URL(fileURLWithPath: path, isDirectory: true)
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      // A volume without this attribute has no backups either.
      try? url.setResourceValues(values)
      #if !os(macOS)
        try? FileManager.default.setAttributes(
          [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: path)
      #endif
    #endif
  }

  /// An app's id as one folder's name.
  private static func folder(_ appID: String) -> String {
    let name = appID.replacingOccurrences(of: "/", with: "_")
    return name.isEmpty || name == "." || name == ".." ? "app" : name
  }
}
