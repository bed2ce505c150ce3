#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Says which input a decoder was at when it trapped, crashed or hung, so that it can be made again.
///
/// A Swift trap is a signal; its handler writes one line, and the process dies of the signal as it would have.
enum CrashReport {
  /// The number of the input that is tried now.
  ///
  /// Unsafe is fine: one thread writes it, and only that thread's own signal handler reads it.
  nonisolated(unsafe) static var current: UInt64 = 0
  /// Seconds that one input may take.
  static let longest: UInt32 = 20

  /// Reports from now on.
  static func install() {
    current = 0
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM] { signal(number, reportCrash) }
  }
}

// Only what is allowed inside a signal handler: no allocation, no locks.
private func reportCrash(_ number: Int32) {
  write(text: number == SIGALRM ? "fuzz: HANG in input " : "fuzz: CRASH in input ")
  var divisor: UInt64 = 10_000_000_000_000_000_000
  while divisor > 1, CrashReport.current / divisor == 0 { divisor /= 10 }
  while divisor > 0 {
    var digit = UInt8(CrashReport.current / divisor % 10) + UInt8(ascii: "0")
    _ = write(2, &digit, 1)
    divisor /= 10
  }
  write(text: "; make it again with the same --seed, --only and --replay\n")
  if number == SIGALRM { _exit(1) }
  signal(number, SIG_DFL)
  raise(number)
}

private func write(text: StaticString) { _ = write(2, text.utf8Start, text.utf8CodeUnitCount) }
