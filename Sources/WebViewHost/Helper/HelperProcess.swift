#if !canImport(Darwin)
  import Foundation
  import Hits
  import WebTags

  /// A helper process and the two pipes to it, on one thread (WT-731).
  ///
  ///     send ──▶ outbox ──▶ standard input              standard output ──poll──▶ onFrame
  ///                                                     end, bad frame ──▶ kill, wait ──▶ onEnd
  ///
  /// Whoever sends writes at once what the helper takes at once, and leaves the rest to the thread: a call is answered the
  /// earlier for it.
  ///
  /// The thread that starts the process stays until it is gone: the parent-death signal that the process asks for is
  /// tied to that thread.
  ///
  /// `@unchecked Sendable`: callers touch only the outbox, under its lock; everything else belongs to the thread.
  final class HelperProcess: @unchecked Sendable {
    private struct Outbox {
      /// The helper's standard input, while it is open.
      var input: Int32?
      /// What waits; of the first, a part may have been written.
      var frames: [ArraySlice<UInt8>] = []
      var bytes = 0
      var isEnding = false
      var isKilled = false
      var isOver = false

      mutating func add(_ frame: [UInt8]) {
        frames.append(frame[...])
        bytes += frame.count
      }

      /// Writes what the helper takes without waiting.
      mutating func write() {
        while let input, let first = frames.first {
          let count = first.withUnsafeBytes {
            Foundation.send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
          }
          if count < 0, errno == EINTR { continue }
          if count < 0, errno == EAGAIN { return }
          guard count > 0 else {
            // A helper that has closed its input is about to end; its output says when.
            (frames, bytes) = ([], 0)
            return
          }
          bytes -= count
          if count == first.count { frames.removeFirst() } else { frames[0] = first.dropFirst(count) }
        }
      }
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
        outbox.add(frame)
        outbox.write()
        if outbox.bytes > Self.mostWaiting { outbox.isKilled = true }
        return !outbox.frames.isEmpty
      }
    }

    /// Ends the helper's input, and so the helper.
    func end() {
      change {
        $0.isEnding = true
        return true
      }
    }

    /// Ends the helper at once.
    func kill() {
      change {
        $0.isKilled = true
        return true
      }
    }

    /// Changes the outbox, and wakes the thread if the change says so.
    private func change(_ change: (inout Outbox) -> Bool) {
      outbox.withLock { outbox in
        guard !outbox.isOver, change(&outbox) else { return }
        var byte: UInt8 = 0
        // A full socket wakes the thread as well.
        if let wake { Foundation.send(wake.own, &byte, 1, Int32(MSG_DONTWAIT)) }
      }
    }

    private func run(_ program: String, usesOwnDirectory: Bool) {
      let directory = usesOwnDirectory ? HelperDirectory() : nil
      let reason: String
      do {
        let child = try ChildProcess(program: program, directory: directory?.path)
        let cause = exchange(with: child)
        let status = child.end(patience: cause == nil ? Self.grace : .zero)
        reason = cause ?? Self.words(for: status, note: note)
      } catch {
        reason = "\(program) could not be started: \(String(cString: strerror(error.number)))"
      }
      directory?.remove()
      outbox.withLock { $0.isOver = true }
      onEnd(reason)
    }

    /// Moves bytes until the helper is to end, or has.
    ///
    /// - Returns: why it was ended, when it did not end by itself.
    private func exchange(with child: ChildProcess) -> String? {
      guard let wake = wake?.other else { return "no descriptors were left" }
      outbox.withLock { $0.input = child.input }
      // Who sends later must not write to a descriptor that is somebody else's by then.
      defer { outbox.withLock { $0.input = nil } }
      var deadline: SuspendingClock.Instant?
      while true {
        let (wantsInput, isDone, isKilled) = outbox.withLock { outbox in
          outbox.write()
          let isDone = outbox.isEnding && outbox.frames.isEmpty && outbox.input != nil
          if isDone { outbox.input = nil }
          return (!outbox.frames.isEmpty && outbox.input != nil, isDone, outbox.isKilled)
        }
        if isKilled { return "it was ended" }
        if isDone {
          child.closeInput()
          deadline = .now + Self.grace
        }
        if let deadline, deadline <= .now { return "it did not end by itself" }
        var descriptors = [
          pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
          pollfd(fd: child.output, events: Int16(POLLIN), revents: 0),
          pollfd(fd: child.errors, events: Int16(POLLIN), revents: 0),
          pollfd(fd: wantsInput ? child.input : -1, events: Int16(POLLOUT), revents: 0),
        ]
        let patience = deadline.map { Int32((SuspendingClock.now.duration(to: $0)).timerMilliseconds + 1) } ?? -1
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
