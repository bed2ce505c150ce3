#if !canImport(Darwin)
  import Foundation
  import Hits
  import TestSupport
  import Testing
  import WebTags

  @testable import WebViewHost

  /// Programs in place of the helper that do what it does not.
  @Suite("A helper that is none") struct HostileHelperTests {
    private static let hello = #"printf '\000\000\000\027{"hello":{"version":3}}';"#

    private func failure(_ script: String) async throws -> PageHostError? {
      let script = try ShellScript(script)
      let host = WebViewHostFactory(helper: script.path).make()
      let error = await #expect(throws: PageHostError.self) { try await host.open(PageHostOptions()) }
      await host.close()
      let events = await host.events.reduce(into: []) { $0.append($1.kind) }
      #expect(events.last == .closed)
      return error
    }

    @Test("WT-731: a program that is not there is unavailable, with its path")
    func missing() async throws {
      let host = WebViewHostFactory(helper: "/nonexistent/webhost").make()
      let error = await #expect(throws: PageHostError.self) { try await host.open(PageHostOptions()) }
      #expect(
        error
          == PageHostError(
            .unavailable, "there is no program at /nonexistent/webhost, where tagworks-webhost should be"))
      await host.close()
    }

    @Test(
      "WT-731: what cannot start, or is no helper, is unavailable with what it said",
      arguments: [
        ("exit 3", "it ended with status 3"),
        ("kill -9 $$", "it was ended by signal 9"),
        (
          "echo 'webhost: error while loading shared libraries: libwebkitgtk-6.0.so.4: none' >&2; exit 127",
          "it ended with status 127: webhost: error while loading shared libraries: libwebkitgtk-6.0.so.4: none "
            + "(Debian packages libwebkitgtk-6.0-4 and libgl1-mesa-dri)"
        ),
        (#"printf '\377\377\377\377'; sleep 5"#, "it sent what is no frame: a frame of 4294967295 bytes"),
        (#"printf '\000\000\000\004nope'; sleep 5"#, "it sent what is no frame: 4 bytes that are no message"),
        ("echo Hello, world; sleep 5", "it sent what is no frame: a frame of 1214606444 bytes"),
        (
          #"printf '\000\000\000\027{"hello":{"version":4}}'; sleep 5"#,
          "it sent what is no frame: it speaks version 4, not 3"
        ),
        (#"printf '\000\000\000\027{"hel'"#, "it ended with status 0"),
        ("exec 1>&-; sleep 0.05", "it ended with status 0"),
      ])
    func unavailable(script: String, words: String) async throws {
      let error = try await failure(script)
      #expect(error == PageHostError(.unavailable, "tagworks-webhost could not start: \(words)"))
    }

    @Test(
      "WT-731: after its hello, its end is the end of the page's process",
      arguments: [
        "exit 0", "cat >/dev/null & kill -9 $$", #"printf '\377\377\377\377'; sleep 5"#,
        #"printf '\000\000\000\002{}'; sleep 5"#,
      ])
    func dead(script: String) async throws {
      #expect(try await failure(Self.hello + script) == .processTerminated(.helper))
    }

    @Test("WT-731: answers to no question, and events of no page, are dropped")
    func strangers() async throws {
      let messages = [
        #"{"done":{"id":99,"outcome":{"nothing":{}}}}"#, #"{"event":{"page":99,"event":{"kind":{"started":{}}}}}"#,
        #"{"decide":{"page":99,"id":1,"navigation":{"url":"x","kind":"navigation","frame":{}}}}"#,
      ]
      let sent = messages.map { "printf '\\000\\000\\000\\\(String($0.utf8.count, radix: 8))%s' '\($0)';" }
      #expect(try await failure(Self.hello + sent.joined() + "exit 0") == .processTerminated(.helper))
    }

    @Test("WT-731: an answer of another kind than the question's is an error")
    func confused() async throws {
      let answer = #"{"done":{"id":2,"outcome":{"text":{"_0":"x"}}}}"#
      let script = "printf '\\000\\000\\000\\\(String(answer.utf8.count, radix: 8))%s' '\(answer)'; cat >/dev/null"
      let error = try await failure(Self.hello + script)
      #expect(error == PageHostError(.unavailable, "the helper gave an answer to another question"))
    }

    @Test("WT-113, 700: a helper that does not answer is ended by close, long before it would end")
    func silent() async throws {
      let script = try ShellScript(Self.hello + "exec sleep 60")
      let host = WebViewHostFactory(helper: script.path).make()
      let opening = Task.immediate { try await host.open(PageHostOptions()) }
      let start = SuspendingClock.now
      await host.close()
      // It takes 2.5 s on an idle machine.
      #expect(start.duration(to: .now) < .seconds(30))
      await #expect(throws: PageHostError.self) { try await opening.value }
    }
  }
#endif
