#if !canImport(Darwin)
  import Foundation
  import Hits
  import WebTags

  /// A helper process and the two pipes to it, on one thread (WT-731).
  ///
  ///     send ──▶ outbox ──poll──▶ standard input        standard output ──poll──▶ onFrame
  ///                                                     end, bad frame ──▶ kill, wait ──▶ onEnd
  ///
  /// The thread that starts the process stays until it is gone: the parent-death signal that the process asks for is
  /// tied to that thread.
  ///
  /// `@unchecked Sendable`: callers touch only the outbox, under its lock; everything else belongs to the thread.
  final class HelperProcess: @unchecked Sendable {
    private struct Outbox {
      var frames: [[UInt8]] = []
      var bytes = 0
      var isEnding = false
      var isKilled = false
      var isOver = false
    }

    /// The most bytes that may wait for a helper that does not read.
    private static let mostWaiting = 64 << 20
    /// How long a helper may take to end by itself once its input has ended.
    private static let grace: Duration = .seconds(2)
    private static let longestNote = 4096

    private let outbox = Locked(Outbox())
    /// A byte in it wakes the thread; nil when the system has no descriptors left, which ends the helper at once.
    private let wake: (own: Int32, other: Int32)?
    private let onFrame: @Sendable (ArraySlice<UInt8>) throws(FrameError) -> Void
    private let onEnd: @Sendable (String) -> Void
    private var pending: ArraySlice<UInt8> = []
    private var reader = FrameReader()
    private var note: [UInt8] = []

    /// Starts the thread that starts the process.
    ///
    /// - Parameters:
    ///   - usesOwnDirectory: whether the helper gets a directory of its own for the sockets of its display.
    ///   - onFrame: takes the JSON of each frame; what it throws ends the process.
    ///   - onEnd: is called once, when the process is gone, with the reason in words.
    init(
      program: String, usesOwnDirectory: Bool,
      onFrame: @escaping @Sendable (ArraySlice<UInt8>) throws(FrameError) -> Void,
      onEnd: @escaping @Sendable (String) -> Void
    ) {
      self.onFrame = onFrame
      self.onEnd = onEnd
      wake = SocketPair.make()
      let thread = Thread { self.run(program, usesOwnDirectory: usesOwnDirectory) }
      thread.name = "WebViewHost"
      thread.stackSize = 512 << 10
      thread.start()
    }

    deinit {
      if let wake { for end in [wake.own, wake.other] { Foundation.close(end) } }
    }

    /// Sends a frame; a helper that has not read 64 MiB of them is ended.
    func send(_ frame: [UInt8]) {
      change { outbox in
        outbox.frames.append(frame)
        outbox.bytes += frame.count
        if outbox.bytes > Self.mostWaiting { outbox.isKilled = true }
      }
    }

    /// Ends the helper's input, and so the helper.
    func end() { change { $0.isEnding = true } }

    /// Ends the helper at once.
    func kill() { change { $0.isKilled = true } }

    private func change(_ change: (inout Outbox) -> Void) {
      outbox.withLock { outbox in
        guard !outbox.isOver else { return }
        change(&outbox)
        var byte: UInt8 = 0
        // A full socket wakes the thread as well.
        if let wake { Foundation.send(wake.own, &byte, 1, Int32(MSG_DONTWAIT)) }
      }
    }

    private func run(_ program: String, usesOwnDirectory: Bool) {
      let directory = usesOwnDirectory ? HelperDirectory() : nil
      defer { directory?.remove() }
      let reason: String
      do {
        let child = try ChildProcess(program: program, directory: directory?.path)
        let cause = exchange(with: child)
        let status = child.end(patience: cause == nil ? Self.grace : .zero)
        reason = cause ?? Self.words(for: status, note: note)
      } catch {
        reason = "\(program) could not be started: \(String(cString: strerror(error.number)))"
      }
      outbox.withLock { $0.isOver = true }
      onEnd(reason)
    }

    /// Moves bytes until the helper is to end, or has.
    ///
    /// - Returns: why it was ended, when it did not end by itself.
    private func exchange(with child: ChildProcess) -> String? {
      guard let wake = wake?.other else { return "no descriptors were left" }
      var deadline: SuspendingClock.Instant?
      var isInputOpen = true
      while true {
        let (isEnding, isKilled) = outbox.withLock { outbox in
          if pending.isEmpty, !outbox.frames.isEmpty {
            pending = outbox.frames.removeFirst()[...]
            outbox.bytes -= pending.count
          }
          return (outbox.isEnding, outbox.isKilled)
        }
        if isKilled { return "it was ended" }
        if isEnding, pending.isEmpty, isInputOpen {
          isInputOpen = false
          child.closeInput()
          deadline = .now + Self.grace
        }
        if let deadline, deadline <= .now { return "it did not end by itself" }
        let wantsInput = isInputOpen && !pending.isEmpty
        var descriptors = [
          pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
          pollfd(fd: child.output, events: Int16(POLLIN), revents: 0),
          pollfd(fd: child.errors, events: Int16(POLLIN), revents: 0),
          pollfd(fd: wantsInput ? child.input : -1, events: Int16(POLLOUT), revents: 0),
        ]
        let patience = deadline.map { Int32((SuspendingClock.now.duration(to: $0)).wholeMilliseconds + 1) } ?? -1
        guard poll(&descriptors, nfds_t(descriptors.count), patience) >= 0 else {
          if errno == EINTR { continue }
          return "poll failed"
        }
        if descriptors[0].revents != 0 {
          var bytes: [UInt8] = Array(repeating: 0, count: 256)
          recv(wake, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        }
        if descriptors[2].revents != 0 { readNote(from: child) }
        if descriptors[1].revents != 0 {
          do throws(FrameError) {
            guard try readFrames(from: child) else { return nil }
          } catch {
            return "it sent what is no frame: \(error.message)"
          }
        }
        if descriptors[3].revents != 0 { writePending(to: child) }
      }
    }

    /// Reads what is there; false at the end.
    private func readFrames(from child: ChildProcess) throws(FrameError) -> Bool {
      let bytes = child.read(from: child.output)
      guard !bytes.isEmpty else { return child.wouldBlock }
      reader.append(bytes)
      while let json = try reader.next() { try onFrame(json) }
      return true
    }

    /// Keeps the end of what the helper says of itself, for the reason of its end.
    private func readNote(from child: ChildProcess) {
      let bytes = child.read(from: child.errors)
      if bytes.isEmpty, !child.wouldBlock { child.closeErrors() }
      note = (note + bytes).suffix(Self.longestNote)
    }

    private func writePending(to child: ChildProcess) {
      let count = pending.withUnsafeBytes {
        Foundation.send(child.input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      // A helper that has closed its input is about to end; its output says when.
      if count > 0 { pending = pending.dropFirst(count) } else if errno != EAGAIN, errno != EINTR { pending = [] }
    }

    private static func words(for status: ChildProcess.Status, note: [UInt8]) -> String {
      let lines = String(decoding: note, as: UTF8.self).split(separator: "\n")
      // The dynamic linker's line says which library is missing; the engine's own chatter says nothing.
      let line = lines.last { $0.contains("shared libraries") || $0.hasPrefix(HelperProgram.name) }
      let end =
        switch status {
        case .exited(let code): "it ended with status \(code)"
        case .killed(let signal): "it was ended by signal \(signal)"
        case .unknown: "it ended"
        }
      return line.map { "\(end): \($0)" } ?? end
    }
  }
#endif
