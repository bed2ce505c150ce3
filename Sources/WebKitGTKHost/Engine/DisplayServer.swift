import CHiddenDisplay
import CWebKitGTK
import Foundation
import Hits
import WebTags

/// What GTK draws on, and the environment that leads the engine's processes there (WT-733).
///
/// The web process opens the display too, so its name must be in the environment before the first one starts.
enum DisplayServer {
  /// How long a new window gets 60 frames a second from the private display; 10 afterwards.
  private static let fullRate: Int32 = 60_000

  /// Opens the display.
  ///
  /// - Returns: the backend that GDK is held to; nil for any.
  static func start(_ kind: EngineSettings.Display) throws(PageHostError) -> String? {
    // Mesa and LLVM in this process would cost 70 MB for a window that nobody sees.
    setenv("GSK_RENDERER", "cairo", 0)
    setenv("GDK_DEBUG", "gl-disable", 0)
    setenv("GTK_A11Y", "none", 0)
    switch kind {
    case .private:
      let name = "tagworks-\(getpid())"
      try RuntimeDirectory.prepare()
      if let failure = hidden_display_start(name, fullRate) {
        throw PageHostError(.unavailable, String(cString: failure))
      }
      setenv("WAYLAND_DISPLAY", name, 1)
      for file in [name, name + ".lock"] { RuntimeDirectory.removeAtExit(RuntimeDirectory.path + "/" + file) }
      return "wayland"
    case .xvfb:
      setenv("DISPLAY", try startXvfb(), 1)
      unsetenv("WAYLAND_DISPLAY")
      return "x11"
    case .inherit: return nil
    }
  }

  /// Starts Xvfb, which ends with its last client, and so with this process.
  private static func startXvfb() throws(PageHostError) -> String {
    guard let program = Executables.find("Xvfb") else {
      throw PageHostError(.unavailable, "Xvfb is not installed (Debian package xvfb)")
    }
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["-displayfd", "1", "-screen", "0", "1920x1080x24", "-nolisten", "tcp", "-terminate"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch {
      throw PageHostError(.unavailable, "Xvfb could not be run: \(error.localizedDescription)")
    }
    // It writes its number when it takes clients, and the end of the pipe is its end.
    let number = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard !number.isEmpty else { throw PageHostError(.unavailable, "Xvfb did not start") }
    return ":\(number)"
  }
}

/// The directory in which Wayland looks for its sockets; one of our own where the session has none.
///
/// One of our own has the name of those that `WebViewHost` gives to a helper, and a lock as they have: if this process is
/// killed, the next helper's client removes it.
enum RuntimeDirectory {
  private static let name = "XDG_RUNTIME_DIR"
  private static let prefix = "tagworks-webhost-"

  /// Makes sure that there is one that this user alone can enter.
  static func prepare() throws(PageHostError) {
    if let path = ProcessInfo.processInfo.environment[name], isOurs(path) { return }
    var template = Array("\(FileManager.default.temporaryDirectory.path)/\(prefix)XXXXXX".utf8CString)
    // A socket's path has at most 107 bytes, its name included.
    if template.count > 70 { template = Array("/tmp/\(prefix)XXXXXX".utf8CString) }
    guard mkdtemp(&template) != nil else {
      throw PageHostError(.unavailable, "no directory for the display's socket could be made")
    }
    let made = String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    setenv(name, made, 1)
    // GLib looks at the variable once. Where something in this process has made it look before, it keeps to a directory of
    // its own choice, and leads the sandbox of the engine's processes there.
    let known = String(cString: g_get_user_runtime_dir())
    guard known == made else {
      rmdir(made)
      setenv(name, known, 1)
      return
    }
    // Held until the end of the process.
    let lock = open(made, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if lock >= 0 { _ = flock(lock, LOCK_EX | LOCK_NB) }
    removeAtExit(made)
  }

  private static let leftovers = Locked<[String]>([])

  /// Has a file or folder removed at the end of the process.
  static func removeAtExit(_ path: String) {
    let isFirst = leftovers.withLock { leftovers in
      leftovers.append(path)
      return leftovers.count == 1
    }
    if isFirst { atexit { RuntimeDirectory.removeLeftovers() } }
  }

  private static func removeLeftovers() {
    for path in leftovers.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
  }

  /// The directory in use.
  static var path: String { ProcessInfo.processInfo.environment[name] ?? FileManager.default.temporaryDirectory.path }

  private static func isOurs(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, path.utf8.count < 70 else { return false }
    return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == getuid() && status.st_mode & 0o077 == 0
  }
}
