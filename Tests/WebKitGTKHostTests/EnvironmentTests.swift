import Foundation
import Hits
import TestSupport
import Testing
import WebTags
import WebViewHost

@Suite("WebKitGTK: where it runs", RealEngine.condition) struct EnvironmentTests {
  private func run(with factory: WebViewHostFactory) async throws {
    let page = try await RealPage(factory: factory)
    try await page.load(RealPage.document)
    #expect(try await page.run("return [document.visibilityState, innerWidth]") == ["visible", 1024])
    #expect(try await page.run("return await new Promise(done => requestAnimationFrame(() => done(1)))") == 1)
    await page.host.close()
  }

  @Test(
    "WT-733: with an Xvfb of its own, which ends with it, a page runs as well",
    .enabled(if: Self.hasXvfb, "there is no Xvfb"))
  func xvfb() async throws {
    let before = Set(Processes.all())
    try await run(with: WebViewHostFactory(settings: EngineSettings(sandbox: .whenPossible, display: .xvfb)))
    try await Processes.end(of: Processes.all().filter { !before.contains($0) })
  }

  @Test("WT-734: without a display to inherit, it is unavailable and says so, and this process lives")
  func noDisplay() async throws {
    let program = try ShellScript("unset DISPLAY WAYLAND_DISPLAY\nexec '\(Self.helper)'")
    let host = WebViewHostFactory(
      helper: program.path, settings: EngineSettings(sandbox: .whenPossible, display: .inherit)
    ).make()
    let error = await #expect(throws: PageHostError.self) { try await host.open(PageHostOptions()) }
    #expect(error == PageHostError(.unavailable, "GTK found no display to open"))
    await host.close()
  }

  @Test("WT-734: without bubblewrap it is unavailable where a sandbox is required, and runs without one where not")
  func noSandbox() async throws {
    // A search path that has no bwrap; WebKit itself knows its place.
    let program = try ShellScript("PATH=/nonexistent exec '\(Self.helper)'")
    let host = WebViewHostFactory(helper: program.path, settings: EngineSettings(sandbox: .required)).make()
    let error = await #expect(throws: PageHostError.self) { try await host.open(PageHostOptions()) }
    #expect(error == PageHostError(.unavailable, "bwrap is not installed (Debian package bubblewrap)"))
    await host.close()
    let page = try await RealPage(
      factory: WebViewHostFactory(helper: program.path, settings: EngineSettings(sandbox: .whenPossible)))
    #expect(page.capabilities.isSandboxed == false)
    try await page.load(RealPage.document)
    #expect(try await page.run("return 1") == 1)
  }

  @Test(
    "WT-734: an ordinary user without a home and a session has a page too",
    .enabled(if: Self.canChangeUser, "only root can become another user"))
  func ordinaryUser() async throws {
    // The user may not enter the folder of the build.
    let directory = try TemporaryDirectory()
    let copy = directory.file("tagworks-webhost")
    try FileManager.default.copyItem(atPath: Self.helper, toPath: copy)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path)
    let program = try ShellScript(
      "export HOME=/nonexistent\n"
        + "exec setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs '\(copy)'")
    try await run(
      with: WebViewHostFactory(helper: program.path, settings: EngineSettings(sandbox: .whenPossible)))
  }

  @Test(
    "WT-734: without WebKit's library the app hears which packages are missing",
    .enabled(if: Self.canHide, "bwrap cannot hide a library here"))
  func noLibrary() async throws {
    // The library's name leads to an empty file, as if it were not installed.
    let program = try ShellScript(
      "exec bwrap --dev-bind / / --bind /dev/null '\(Self.library)' '\(Self.helper)'")
    let host = WebViewHostFactory(helper: program.path).make()
    let error = await #expect(throws: PageHostError.self) { try await host.open(PageHostOptions()) }
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("libwebkitgtk-6.0.so.4") == true)
    #expect(error?.message.contains("libwebkitgtk-6.0-4") == true)
    await host.close()
  }

  @Test("WT-731: the app's side links no web library")
  func links() throws {
    let listing = Process()
    let output = Pipe()
    listing.executableURL = URL(fileURLWithPath: "/usr/bin/ldd")
    listing.arguments = [Program.path(of: "webtags-app")]
    listing.standardOutput = output
    try listing.run()
    let libraries = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    listing.waitUntilExit()
    #expect(libraries.contains("libc.so"))
    for name in ["webkit", "javascriptcore", "libgtk", "libglib", "wayland"] { #expect(!libraries.contains(name)) }
  }

  private static let helper = Program.path(of: "tagworks-webhost")
  private static let hasXvfb = FileManager.default.isExecutableFile(atPath: "/usr/bin/Xvfb")
  private static let library = "/usr/lib/x86_64-linux-gnu/libwebkitgtk-6.0.so.4"
  private static let canChangeUser =
    geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")
  private static let canHide = FileManager.default.fileExists(atPath: library) && geteuid() == 0
}
