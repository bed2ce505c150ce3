#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Which thread runs; two live threads never have the same.
struct ThreadIdentity: Hashable, Sendable {
  private let bits: UInt

  init(bits: UInt) { self.bits = bits }

  /// The calling thread.
  static var current: ThreadIdentity {
    #if canImport(Darwin) || canImport(Musl)
      ThreadIdentity(bits: UInt(bitPattern: pthread_self()))
    #else
      ThreadIdentity(bits: UInt(pthread_self()))
    #endif
  }
}
