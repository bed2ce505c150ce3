import Foundation

/// Whether EGL has a driver, without which WebKit ends the process (WT-734).
enum GraphicsCheck {
  private typealias GetDisplay = @convention(c) (UInt32, UnsafeRawPointer?, UnsafeRawPointer?) -> UnsafeRawPointer?
  private typealias Initialize =
    @convention(c) (
      UnsafeRawPointer?, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?
    ) -> UInt32
  /// The number of `EGL_PLATFORM_SURFACELESS_MESA`.
  private static let surfaceless: UInt32 = 0x31DD

  /// Nil when there is one, else what is wrong and which package helps.
  static func failure() -> String? {
    guard let library = dlopen("libEGL.so.1", RTLD_NOW) else { return "there is no libEGL (Debian package libegl1)" }
    guard let display = dlsym(library, "eglGetPlatformDisplay"), let start = dlsym(library, "eglInitialize") else {
      return "libEGL is too old"
    }
    // The two functions have these C types in EGL 1.5, and the library stays loaded.
    let getDisplay = unsafeBitCast(display, to: GetDisplay.self)
    let initialize = unsafeBitCast(start, to: Initialize.self)
    guard let surface = getDisplay(surfaceless, nil, nil), initialize(surface, nil, nil) != 0 else {
      return "EGL has no driver (Debian package libgl1-mesa-dri)"
    }
    return nil
  }
}
