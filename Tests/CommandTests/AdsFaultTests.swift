import Foundation
import Hits
import TestSupport
import Testing

/// What `ads inspect` and `ads play` tell of sources that are unreadable, hostile or of no use.
@Suite struct AdsFaultTests {
  private static func ad(_ more: String = "", linear: String = "", media: String = "video/mp4") -> String {
    "<VAST version='4.2'><Ad id='a'><InLine><AdTitle>Title</AdTitle><Error>https://t.test/e?c=[ERRORCODE]</Error>\(more)"
      + "<Creatives><Creative><Linear><Duration>00:00:10</Duration>\(linear)<MediaFiles><MediaFile type='\(media)' width='640' "
      + "height='360'>https://user:secret@m.test/a.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>"
  }

  /// Runs a command on a document given as a file; JSON of `inspect` is one line, that of `play` several.
  private static func run(
    _ command: String, _ document: String, _ arguments: String...
  ) async throws -> Program.Result {
    let directory = try TemporaryDirectory()
    let file = try directory.write(document, to: "x.xml")
    return try await Program.run(["ads", command, file] + (command == "play" ? ["--fast"] : []) + arguments)
  }

  private static func codes(_ report: Value?) -> [String] {
    report?["diagnostics"]?.list?.compactMap { $0["code"]?.string } ?? []
  }

  @Test("VA-807, VA-1402, VA-1501: refused trackers are told of with the reason, and those of errors are not owed")
  func refusedInspect() async throws {
    let long = "https://t.test/?" + String(repeating: "[TRANSACTIONID]", count: 300)
    let trackers = ["file:///etc/passwd", "javascript:a()", long, "https://t.test/ok"].map {
      "<Tracking event='start'>\($0)</Tracking>"
    }.joined()
    let document = Self.ad(
      "<Impression>ftp://t.test/i</Impression><Error>file:///e</Error>",
      linear: "<TrackingEvents>\(trackers)</TrackingEvents>", media: "application/x-shockwave-flash")
    let report = try #require(try await Self.run("inspect", document, "--json").json.first)
    let messages = (report["diagnostics"]?.list ?? []).filter { $0["code"] == "tracking.refused" }
      .compactMap { $0["message"]?.string }
    #expect(
      messages == [
        "A tracker of impression of ad 'a' is not sent: its scheme is neither http nor https.",
        "A tracker of start of ad 'a' is not sent: its scheme is neither http nor https.",
        "A tracker of error of ad 'a' is not sent: its scheme is neither http nor https.",
        "A tracker of start of ad 'a' is not sent: it is longer than 8192 bytes.",
      ])
    #expect(report["beacons"]?.list?.map { $0["url"] } == ["https://t.test/e?c=[ERRORCODE]"])
    let table = try await Self.run("inspect", document).output
    #expect(table.contains("ftp://t.test/i  not sent: its scheme is neither http nor https"))
    #expect(table.contains("4 URLs, 3 not sent"))
  }

  @Test("VA-807, VA-1502: refused beacons are errors of the timeline, with the reason, and no beacons")
  func refusedPlay() async throws {
    let document = Self.ad("<Impression>javascript:a()</Impression><Impression>https://t.test/i</Impression>")
    let lines = try await Self.run("play", document, "--json").json
    let refused = try #require(lines.first { $0["url"] == "javascript:a()" })
    #expect(refused["type"] == "error" && refused["code"] == .null)
    #expect(refused["name"] == "tracking.refused: impression, its scheme is neither http nor https")
    #expect(lines.filter { $0["type"] == "beacon" && $0["name"] == "impression" }.count == 1)
    let table = try await Self.run("play", document).output
    #expect(table.contains("ERROR tracking.refused: impression, its scheme is neither http nor https  javascript:a()"))
    #expect(!table.contains("→ impression  javascript"))
  }

  @Test("VA-1502: beacons that are owed before anything plays are listed too")
  func owedBeforePlaying() async throws {
    let result = try await Self.run(
      "play", "<VAST version='3.0'><Error>https://t.test/[ERRORCODE]</Error></VAST>", "--json")
    let lines = try result.json
    #expect(lines.map { $0["type"] } == ["beacon", "error"] && lines.map { $0["code"] } == [303, 303])
    #expect(lines.first?["url"] == "https://t.test/303" && result.status == 1)
  }

  @Test("VA-209, VA-440: an empty file is an answer without an ad")
  func empty() async throws {
    for document in ["", " \n\t"] {
      let inspect = try await Self.run("inspect", document, "--json")
      let report = try #require(try inspect.json.first)
      #expect(report["kind"] == "empty" && report["error"]?["vastCode"] == 303 && inspect.status == 1)
      let play = try await Self.run("play", document, "--json")
      #expect(try play.json.map { $0["name"] } == ["noAds"] && play.status == 1)
    }
  }

  @Test("VA-213, VA-1401: a file that is too long is refused as one that is fetched, with one exit status")
  func tooLarge() async throws {
    let filler = String(repeating: " ", count: 2 << 20)
    let documents = [
      "<VAST version='3.0'>\(filler)</VAST>", "<VMAP version='1.0'>" + filler + filler + filler + filler + "</VMAP>",
    ]
    let server = try LoopbackServer { _ in .text(documents[0]) }
    for document in documents {
      let inspect = try await Self.run("inspect", document, "--json")
      let play = try await Self.run("play", document, "--json")
      #expect(inspect.status == 1 && play.status == 1)
      #expect(try inspect.json.first?["error"]?["code"] == "malformedResponse")
      #expect(try play.json.map { $0["name"] } == ["malformedResponse"])
    }
    let fetched = try await Program.run(["ads", "inspect", server.url(), "--json"])
    let report = try #require(try fetched.json.first)
    let fetch = report["fetches"]?.list?.first
    #expect(fetch?["error"] == "tooLarge" && fetch?["status"] == 200 && fetched.status == 1)
    #expect(report["error"]?["vastCode"] == 100)
    #expect(try await Program.run(["ads", "play", server.url(), "--fast"]).status == 1)
  }

  @Test("VA-1501, VA-1502: a source that cannot be read is a document with its error, and the status of the network")
  func unreadable() async throws {
    let inspect = try await Program.run(["ads", "inspect", "/no/such/file", "--json"])
    let report = try #require(try inspect.json.first)
    #expect(report["kind"] == "error" && report["error"]?["code"] == "requestFailed" && inspect.status == 3)
    #expect(report["error"]?["message"] == "/no/such/file: there is no such file")
    let play = try await Program.run(["ads", "play", "/no/such/file", "--json"])
    #expect(try play.json.map { $0["type"] } == ["error"] && play.status == 3)
    let table = try await Program.run(["ads", "inspect", "/no/such/file"])
    #expect(table.output.contains("there is no such file"))
  }

  @Test("VA-1403: user and password of a URL are printed nowhere")
  func secrets() async throws {
    let document = Self.ad("<Impression>https://user:secret@t.test/i</Impression>")
    for command in ["inspect", "play"] {
      for arguments in [[], ["--json"]] {
        let fast = command == "play" ? ["--fast"] : []
        let file = try await Program.run(["ads", command, "-"] + fast + arguments, input: document)
        #expect(file.status == 0 && !file.output.contains("secret"), "\(file.output)")
        #expect(file.output.contains("https://t.test/i"))
        let fetched = try await Program.run(["ads", command, "http://user:secret@127.0.0.1:1/"] + fast + arguments)
        #expect(fetched.status == 3 && !(fetched.output + fetched.errors).contains("secret"), "\(fetched.output)")
      }
    }
  }

  @Test("VA-1500: what a document says reaches a terminal without control characters and turns of direction")
  func visible() async throws {
    let title = "a\u{85}b\u{9b}31mc\u{202e}d\u{2066}e\u{2028}f"
    let document = Self.ad("<Impression>https://t.test/\u{202e}i</Impression>").replacingOccurrences(
      of: ">Title<", with: ">\(title)<")
    for (command, arguments) in [("inspect", []), ("inspect", ["--json"]), ("play", []), ("play", ["--json"])] {
      let output = try await Program.run(
        ["ads", command, "-"] + (command == "play" ? ["--fast"] : []) + arguments, input: document
      ).output
      let hidden = output.unicodeScalars.filter { scalar in
        scalar != "\n"
          && (scalar.properties.generalCategory == .control || 0x2028...0x202E ~= scalar.value
            || 0x2066...0x2069 ~= scalar.value)
      }
      #expect(hidden.isEmpty, "\(output)")
    }
    #expect(try await Self.run("inspect", document).output.contains(#"a\u{85}b\u{9b}31mc\u{202e}d\u{2066}e\u{2028}f"#))
    #expect(
      try await Self.run("inspect", document, "--json").json.first?["breaks"]?.list?.first?["ads"]?.list?.first?[
        "title"] == .string(title))
  }

  @Test("VA-1500: --offline fetches no wrapper, and says how many documents it left out")
  func offline() async throws {
    let wrapper =
      "<VAST version='3.0'><Ad id='w'><Wrapper><VASTAdTagURI>https://a.test/x</VASTAdTagURI></Wrapper></Ad></VAST>"
    #expect(try await Self.run("inspect", wrapper, "--offline").output.contains("1 document not fetched: offline"))
    let fetches = try await Self.run("inspect", wrapper, "--offline", "--json").json.first?["fetches"]?.list
    #expect(fetches?.map { $0["error"] } == ["offline"] && fetches?.map { $0["url"] } == ["https://a.test/x"])
    #expect(try await Self.run("play", wrapper, "--offline", "--json").json.last?["name"] == "wrapperUnavailable")
  }

  @Test(
    "VA-426, VA-513, VA-1500: a wrapper that fails and forbids a fall-back leaves nothing: failed, and no ad stands by")
  func noFallback() async throws {
    let wrapper =
      "<Ad id='w'><Wrapper fallbackOnNoAd='false'><VASTAdTagURI>https://t.test/x</VASTAdTagURI></Wrapper></Ad><Ad id='a'>"
    let document = Self.ad().replacingOccurrences(of: "<Ad id='a'>", with: wrapper)
    let result = try await Self.run("inspect", document, "--offline", "--json")
    let report = try #require(try result.json.first)
    #expect(result.status == 1 && report["error"]?["vastCode"] == 301)
    let item = report["breaks"]?.list?.first
    #expect(item?["state"] == "failed" && item?["ads"] == [] && item?["spares"] == [])
    let table = try await Self.run("inspect", document, "--offline").output
    #expect(table.contains("Break 0: failed") && !table.contains("stands by"))
  }

  @Test("VA-330, VA-1501: a diagnostic without a line has null for it, and names its ad and the ad's place")
  func unplacedDiagnostics() async throws {
    let document = Self.ad("<Impression>ftp://t.test/i</Impression>")
    let report = try #require(try await Self.run("inspect", document, "--json").json.first)
    let refused = try #require(report["diagnostics"]?.list?.first { $0["code"] == "tracking.refused" })
    #expect(refused["line"] == .null && refused["column"] == .null && refused["path"] == "/VAST/Ad[1]")
    #expect(refused["message"]?.string?.contains("ad 'a'") == true)
  }

  @Test("VA-513, VA-600: a break whose ads have nothing to play is not available")
  func unplayable() async throws {
    let result = try await Self.run("inspect", Self.ad(media: "application/x-shockwave-flash"), "--json")
    let report = try #require(try result.json.first)
    #expect(result.status == 1 && report["error"]?["vastCode"] == 403)
    #expect(report["breaks"]?.list?.map { $0["state"] } == ["failed"])
    #expect(report["beacons"]?.list?.map { $0["code"] } == [403])
    #expect(Self.codes(report).contains("ad.failed"))
    let table = try await Self.run("inspect", Self.ad(media: "application/x-shockwave-flash")).output
    #expect(table.contains("does not play, 403 noPlayableMedia") && table.contains("Break 0: failed"))
  }

  @Test("VA-1500: the table shows companions, icons, verifications and overlays")
  func visuals() async throws {
    let companion =
      "<Companion id='c1' width='300' height='250'><StaticResource creativeType='image/png'>https://t.test/c.png</StaticResource></Companion>"
    let icon =
      "<Icons><Icon program='AdChoices' width='20' height='20'><IFrameResource>https://t.test/i.html</IFrameResource></Icon></Icons>"
    let document = Self.ad(
      "<AdVerifications><Verification vendor='v.test-omid'><JavaScriptResource apiFramework='omid'>https://t.test/v.js</JavaScriptResource></Verification></AdVerifications>",
      linear: icon
    ).replacingOccurrences(
      of: "</Creatives>", with: "<Creative><CompanionAds>\(companion)</CompanionAds></Creative></Creatives>")
    let table = try await Self.run("inspect", document).output
    for text in [
      "c1, 300×250, https://t.test/c.png", "AdChoices, 20×20, https://t.test/i.html",
      "v.test-omid, https://t.test/v.js",
    ] {
      #expect(table.contains(text), "\(text) in \(table)")
    }
    let overlay =
      "<VAST version='3.0'><Ad id='o'><InLine><Creatives><Creative><NonLinearAds><NonLinear id='n' width='400' height='60'>"
      + "<StaticResource creativeType='image/png'>https://t.test/o.png</StaticResource></NonLinear></NonLinearAds></Creative>"
      + "</Creatives></InLine></Ad></VAST>"
    #expect(try await Self.run("inspect", overlay).output.contains("n, 400×60, https://t.test/o.png"))
  }

  @Test("VA-1500: a macro that does not exist and a base that is no URL are wrong usage")
  func wrongUsage() async throws {
    for arguments in [
      ["--set", "NOTHING=1"], ["--base-url", ":::"], ["--base-url", "file:///x"], ["--base-url", "x/y"],
    ] {
      let result = try await Program.run(["ads", "inspect", "-"] + arguments, input: Self.ad())
      #expect(result.status == 2 && result.output.isEmpty, "\(arguments)")
    }
  }
}

extension Value {
  fileprivate subscript(key: String) -> Value? { map?[key] }
}
