#if !canImport(Darwin)
  import Foundation

  /// A started program with one-way sockets, in place of pipes, to its standard input, output and error, in a process
  /// group of its own.
  ///
  /// `Foundation.Process` would move the wait to a thread of its own and leave descriptors open to other children.
  final class ChildProcess {
    /// How it ended.
    enum Status {
      case exited(Int32)
      case killed(Int32)
      /// The app collects its children itself.
      case unknown
    }

    /// Why it could not be started.
    struct Failure: Error {
      var number: Int32
    }

    private(set) var input: Int32 = -1
    private(set) var output: Int32 = -1
    private(set) var errors: Int32 = -1
    private let process: pid_t
    /// Whether the last read found nothing yet, rather than the end.
    private(set) var wouldBlock = false

    init(program: String, directory: String?) throws(Failure) {
      var ends: [(own: Int32, other: Int32)] = []
      defer { for end in ends { Foundation.close(end.other) } }
      for isInput in [true, false, false] {
        guard let pair = SocketPair.make() else {
          let number = errno
          for end in ends { Foundation.close(end.own) }
          throw Failure(number: number)
        }
        ends.append(pair)
        _ = fcntl(pair.own, F_SETFL, O_NONBLOCK)
        shutdown(pair.own, Int32(isInput ? SHUT_RD : SHUT_WR))
      }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      for (descriptor, end) in ends.enumerated() {
        posix_spawn_file_actions_adddup2(&actions, end.other, Int32(descriptor))
      }
      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      // What the app does with signals is not the helper's business, and a key press that ends the app is not for it.
      var (none, all) = (sigset_t(), sigset_t())
      sigemptyset(&none)
      sigfillset(&all)
      posix_spawnattr_setsigmask(&attributes, &none)
      posix_spawnattr_setsigdefault(&attributes, &all)
      posix_spawnattr_setpgroup(&attributes, 0)
      posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

      var environment = ProcessInfo.processInfo.environment
      if let directory { environment["XDG_RUNTIME_DIR"] = directory }
      var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), nil]
      var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
      defer { for text in arguments + variables { free(text) } }
      var process: pid_t = 0
      let number = posix_spawn(&process, program, &actions, &attributes, &arguments, &variables)
      guard number == 0 else {
        for end in ends { Foundation.close(end.own) }
        throw Failure(number: number)
      }
      self.process = process
      (input, output, errors) = (ends[0].own, ends[1].own, ends[2].own)
    }

    /// Reads what is there.
    func read(from descriptor: Int32) -> [UInt8] {
      [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        let got = Foundation.read(descriptor, buffer.baseAddress, 65_536)
        wouldBlock = got < 0 && (errno == EAGAIN || errno == EINTR)
        count = max(0, got)
      }
    }

    func closeInput() { close(&input) }

    func closeErrors() { close(&errors) }

    /// Waits for the end of the process.
    ///
    /// - Parameter patience: how long it may take to end by itself; then it is killed, with all it started. So is what
    ///   a process leaves that did not end with status 0.
    func end(patience: Duration) -> Status {
      closeInput()
      close(&output)
      closeErrors()
      let deadline = SuspendingClock.now + patience
      while !isOver, SuspendingClock.now < deadline { usleep(5_000) }
      if !isOver { kill(process, SIGKILL) }
      // Not reaped yet: its number still stands for its group.
      var information = siginfo_t()
      while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      if information.si_code != CLD_EXITED || information._sifields._sigchld.si_status != 0 { kill(-process, SIGKILL) }
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0 {
        if errno != EINTR { return .unknown }
      }
      return self.status(of: status)
    }

    private var isOver: Bool {
      var information = siginfo_t()
      let result = waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT | WNOHANG)
      return result < 0 && errno != EINTR || information.si_signo == SIGCHLD
    }

    private func status(of status: Int32) -> Status {
      let signal = status & 0x7F
      return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
    }

    private func close(_ descriptor: inout Int32) {
      if descriptor >= 0 { Foundation.close(descriptor) }
      descriptor = -1
    }
  }

  /// Two connected sockets that no other child of the app gets: a pipe cannot be made so with what Swift sees of libc.
  enum SocketPair {
    static func make() -> (own: Int32, other: Int32)? {
      var pair: [Int32] = [-1, -1]
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      return socketpair(AF_UNIX, kind, 0, &pair) == 0 ? (pair[0], pair[1]) : nil
    }
  }
#endif
