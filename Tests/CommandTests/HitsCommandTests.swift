import Foundation
import HTTPClient
import Hits
import TestSupport
import Testing

@Suite struct HitsCommandTests {
  private static let batch = [
    "v=1&tid=UA-1-1&cid=c&t=event&ec=a&ea=b%2Cc&qt=60000&_s=4&_v=tw1.0.0&z=017a8506-518f-7abc-8def-000000000001",
    "v=1&tid=UA-1-1&cid=c&t=screenview&cd=%3DHome&uid=u&z=2", "v=1&tid=UA-1-1&cid=c&t=nothing",
  ].joined(separator: "\n")
  private static let id = "017a8506-518f-7abc-8def-000000000001"

  /// A collector's data directory with two hits by batch, and a refusal.
  private func intake(_ directory: TemporaryDirectory) async throws -> String {
    let data = directory.file("data")
    let server = try RunningServer(data: data)
    let response = try await PlatformTransport().send(
      HTTPRequest(method: "POST", url: server.url + "/batch", body: Array(Self.batch.utf8)))
    #expect(response.headers["Tagworks-Accepted"] == "2")
    #expect(server.stop() == 0)
    return data
  }

  /// A store with as many events, made by the program itself.
  private func store(_ directory: TemporaryDirectory, events: Int, destination: String) async throws -> String {
    let store = directory.file("store")
    let lines = (1...events).map { number in
      "v=1&tid=UA-1-1&cid=c&t=event&ec=a&ea=b&ev=\(number)&_v=tw1.0.0&z=017a8506-518f-7abc-8def-0000000000\(10 + number)"
    }
    let file = try directory.write(lines.joined(separator: "\n"), to: "hits.txt")
    let result = try await Program.run(["hits", "import", file, "--store", store, "--destination", destination])
    #expect(result.status == 0, "\(result.errors)")
    let noun = events == 1 ? "hit" : "hits"
    #expect(result.output == "\(events) \(noun) taken in, 0 known already, 0 lines are no hits\n")
    return store
  }

  @Test("HQ-910: show tells one hit of a collector; what is not there is exit 1, what is no id exit 2")
  func showIntake() async throws {
    let directory = try TemporaryDirectory()
    let data = try await intake(directory)
    let shown = try await Program.run(["hits", "show", Self.id, "--intake", data, "--json"])
    #expect(shown.status == 0)
    let documents = try shown.json
    let hit = try #require(documents.first?.map)
    #expect(hit["id"] == .string(Self.id))
    #expect(hit["sequence"] == 4)
    #expect(hit["library"] == "tw1.0.0")
    #expect(hit["fields"]?.map?["ea"] == "b,c")
    let text = try await Program.run(["hits", "show", Self.id, "--intake", data])
    #expect(text.output.contains("property  UA-1-1"))
    #expect(try await Program.run(["hits", "show", HitID().description, "--intake", data]).status == 1)
    #expect(try await Program.run(["hits", "show", "x", "--intake", data]).status == 2)
  }

  @Test("HQ-910: what a client sent reaches the terminal as text, never as an order to it")
  func hostileText() async throws {
    let directory = try TemporaryDirectory()
    let data = directory.file("data")
    let server = try RunningServer(data: data, arguments: ["--property", "shop=key"])
    let line =
      #"{"id":"\#(Self.id)","kind":"event","property":"shop","client":"c","age":0,"#
      + #""fields":{"ec":"\u001b[31mred","ea":"a\nb","el":"\u202eend"}}"#
    let answer = try await PlatformTransport().send(
      HTTPRequest(
        method: "POST", url: server.url + "/v1/hits",
        headers: ["Content-Type": "application/x-ndjson", "Tagworks-Key": "key"], body: Array(line.utf8)))
    #expect(answer.status == 200)
    #expect(server.stop() == 0)
    for command in [["list"], ["show", Self.id]] {
      let arguments = ["hits"] + command + ["--intake", data]
      let text = try await Program.run(arguments).output
      #expect(!text.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{202e}" }, "\(command)")
      #expect(text.contains("\\u{1b}[31mred") && text.contains("\\u{202e}end"), "\(text)")
      let json = try await Program.run(arguments + ["--json"])
      #expect(!json.output.contains("\u{202e}"))
      #expect(try json.json.first?.map?["fields"]?.map?["el"] == "\u{202e}end")
    }
    #expect(try await Program.run(["hits", "list", "--intake", data]).output.split(separator: "\n").count == 1)
  }

  @Test("HQ-910: export in every form from a collector's store; stats, check")
  func exportIntake() async throws {
    let directory = try TemporaryDirectory()
    let data = try await intake(directory)
    func export(_ format: String) async throws -> [String] {
      let result = try await Program.run(["hits", "export", "--intake", data, "--format", format])
      #expect(result.status == 0, "\(format) \(result.errors)")
      return result.output.split(separator: "\n").map(String.init)
    }
    let mp1 = try await export("mp1")
    #expect(mp1.count == 2)
    #expect(mp1[0].hasPrefix("v=1&tid=UA-1-1&cid=c&t=event&ea=b%2Cc&ec=a&_s=4&_v=tw1.0.0&ht="))
    #expect(mp1[0].hasSuffix("&z=\(Self.id)"))
    #expect(mp1[1].hasPrefix("v=1&tid=UA-1-1&cid=c&uid=u&t=screenview&cd=%3DHome&"))
    let lines = try await export("ndjson").map { try Value(json: $0).map ?? [:] }
    #expect(lines.map { $0["kind"] } == ["event", "screenview"])
    #expect(lines[0]["id"] == .string(Self.id))
    #expect(lines[0]["fields"] == ["ea": "b,c", "ec": "a"])
    #expect(lines[0]["lane"] == nil)
    // The age grows while we look.
    let json = try await Program.run(["hits", "export", "--intake", data, "--json"])
    #expect(try json.json.map { $0.map?["id"] } == lines.map { $0["id"] })
    let csv = try await export("csv")
    #expect(csv[0] == "id,sequence,time,age,property,kind,name,tracker,client,user,fields,params")
    #expect(csv[1].hasPrefix("\(Self.id),4,"))
    #expect(csv[1].hasSuffix(#",UA-1-1,event,,,c,,"{""ea"":""b,c"",""ec"":""a""}","#))
    let ga4 = try await export("ga4").map { try Value(json: $0).map ?? [:] }
    #expect(ga4.map { $0["client_id"] } == ["c", "c"])
    #expect(ga4[1]["user_id"] == "u")
    #expect(ga4[0]["events"]?.list?.first?.map?["name"] == "b_c")
    let matomo = try await export("matomo").map { try Value(json: $0).map?["requests"]?.list?.first?.string ?? "" }
    #expect(matomo.allSatisfy { $0.hasPrefix("?idsite=UA-1-1&rec=1&apiv=1&send_image=0&rand=") })
    #expect(matomo[1].hasSuffix("&action_name=%3DHome"))
    let stats = try await Program.run(["hits", "stats", "--intake", data, "--json"])
    #expect(try stats.json.first?.map?["rejected"]?.list?.count == 1)
    let check = try await Program.run(["hits", "check", "--intake", data, "--json"])
    #expect(check.status == 0)
    #expect(try check.json == [["damaged": [], "hits": 2, "isCounted": true, "pages": "ok"]])
  }

  @Test("CO-903: a cell of the CSV that a spreadsheet would compute is text in quotes, any other as it is")
  func formulas() async throws {
    let store = try TemporaryDirectory().file("store")
    let clients = ["=1+1", "+1", "-1", "@SUM(A1)", "plain"]
    let lines = clients.map { client in
      #"{"id":"\#(HitID())","kind":"event","property":"UA-1-1","client":"\#(client)","age":0,"#
        + #""fields":{"ec":"a","ea":"b"}}"#
    }
    let imported = try await Program.run(
      ["hits", "import", "-", "--store", store, "--destination", "https://collect.example.com"],
      input: lines.joined(separator: "\n"))
    #expect(imported.output == "5 hits taken in, 0 known already, 0 lines are no hits\n", "\(imported.errors)")
    let csv = try await Program.run(["hits", "export", "--store", store, "--format", "csv"])
    for client in clients {
      let cell = client == "plain" ? client : "\"'\(client)\""
      #expect(csv.output.contains(",\(cell),"), "\(csv.output)")
    }
  }

  @Test("CO-703: purge removes a client from a collector that runs; without --yes nothing is done")
  func purgeIntake() async throws {
    let directory = try TemporaryDirectory()
    let server = try RunningServer(data: directory.file("data"))
    func send(_ client: String, _ number: Int) async throws -> String? {
      let id = "017a8506-518f-7abc-8def-00000000000\(number)"
      let body = "v=1&tid=UA-\(number)-1&cid=\(client)&t=exception&_v=tw1.0.0&z=\(id)"
      return try await PlatformTransport().send(
        HTTPRequest(method: "POST", url: server.url + "/collect", body: Array(body.utf8))
      ).headers["Tagworks-Accepted"]
    }
    for (number, client) in [(1, "ann"), (2, "ann"), (3, "bob")] { #expect(try await send(client, number) == "1") }
    func purge(_ words: String...) async throws -> Program.Result {
      try await Program.run(["hits", "purge", "--intake", directory.file("data"), "--json"] + words)
    }
    #expect(try await purge("--client", "ann").status == 2)
    #expect(try await purge("--client", "", "--yes").status == 2)
    #expect(try await purge("--client", "ann", "--state", "ready", "--yes").status == 2)
    #expect(try await purge("--client", "carl", "--yes").status == 1)
    #expect(try await purge("--client", "ann", "--property", "UA-2-1", "--yes").json == [["purged": 1]])
    #expect(try await purge("--client", "ann", "--yes").json == [["purged": 1]])
    #expect(try await send("ann", 1) == "0")
    #expect(try await send("carl", 4) == "1")
    let listed = try await Program.run(["hits", "list", "--intake", directory.file("data"), "--json"])
    #expect(try listed.json.map { $0.map?["client"] } == ["bob", "carl"])
    #expect(server.stop() == 0)
    #expect(try await Program.run(["hits", "purge", "--intake", "none", "--client", "a", "--yes"]).status == 3)
  }

  @Test(
    "HQ-1104, HQ-431, HQ-910: dispatch takes a refused batch apart: all but the bad hit arrive, that one is put aside",
    arguments: [1, 11, 20])
  func poison(place: Int) async throws {
    let directory = try TemporaryDirectory()
    let server = try LoopbackServer { request in
      let lines = String(decoding: request.body, as: UTF8.self).split(separator: "\n")
      return .response(status: lines.contains { $0.contains("&ev=\(place)&") } ? 400 : 200)
    }
    let store = try await store(directory, events: 20, destination: server.url(""))
    let sent = try await Program.run(["hits", "dispatch", "--store", store, "--json"])
    #expect(sent.status == 0, "\(sent.output)\(sent.errors)")
    #expect(
      try sent.json == [["result": "good", "sent": 20, "accepted": 19, "rejected": 1, "remaining": 0]])
    // One for the batch, and two for each halving.
    #expect(server.requests.count <= 1 + 2 * 5)
    let listed = try await Program.run(["hits", "list", "--store", store, "--json"])
    #expect(try listed.json.map { $0.map?["fields"]?.map?["ev"] } == [.string("\(place)")])
    #expect(try listed.json.map { $0.map?["state"] } == ["quarantined"])
  }

  @Test("HQ-432, HQ-910: dispatch gives up on a server that refuses everything, and a failure is exit 3")
  func refusedAll() async throws {
    let directory = try TemporaryDirectory()
    let server = try LoopbackServer { _ in .response(status: 400) }
    let store = try await store(directory, events: 20, destination: server.url(""))
    let refused = try await Program.run(["hits", "dispatch", "--store", store])
    #expect(refused.status == 3)
    #expect(refused.output == "error (allRejected): 20 sent, 0 accepted, 0 rejected, 20 remain\n")
    #expect(server.requests.count == 39)
    let other = try TemporaryDirectory()
    let gone = try await self.store(other, events: 1, destination: "http://127.0.0.1:1")
    let failed = try await Program.run(["hits", "dispatch", "--store", gone])
    #expect(failed.status == 3)
    #expect(failed.output == "error (network): 1 sent, 0 accepted, 0 rejected, 1 remain\n")
  }

  @Test("HQ-910: hits travel from store to store with their ids, and once")
  func importing() async throws {
    let directory = try TemporaryDirectory()
    let store = try await store(directory, events: 3, destination: "http://127.0.0.1:1")
    let exported = try await Program.run(["hits", "export", "--store", store, "--format", "ndjson"])
    #expect(exported.status == 0)
    let lines = try exported.json
    #expect(
      lines.map { $0.map?["lane"]?.map?["endpoint"] }
        == [String](repeating: "http://127.0.0.1:1", count: 3).map { .string($0) })
    let file = try directory.write(exported.output + "nonsense\n{}\n", to: "hits.ndjson")
    let other = directory.file("other")
    let imported = try await Program.run(["hits", "import", file, "--store", other, "--json"])
    #expect(imported.status == 1)
    #expect(try imported.json == [["imported": 3, "known": 0, "faulty": 2]])
    #expect(imported.errors.contains("line 4"))
    let again = try await Program.run(["hits", "import", "-", "--store", other, "--json"], input: exported.output)
    #expect(again.status == 0)
    #expect(try again.json == [["imported": 0, "known": 3, "faulty": 0]])
    let listed = try await Program.run(["hits", "list", "--store", other, "--json"])
    #expect(try listed.json.map { $0.map?["fields"]?.map?["ev"] } == ["1", "2", "3"])
    #expect(try listed.json.map { $0.map?["id"] } == lines.map { $0.map?["id"] })
    #expect(try await Program.run(["hits", "check", "--store", other]).status == 0)
    let show = try await Program.run([
      "hits", "show", "017a8506-518f-7abc-8def-000000000011", "--store", other, "--json",
    ])
    #expect(try show.json.first?.map?["state"] == "ready")
  }

  @Test("HQ-910: what a server refused comes back by retry, or goes by purge, counted")
  func quarantine() async throws {
    let directory = try TemporaryDirectory()
    let server = try LoopbackServer { _ in .response(status: 400) }
    let store = try await store(directory, events: 1, destination: server.url(""))
    _ = try await Program.run(["hits", "dispatch", "--store", store])
    let other = "v=1&tid=UA-1-1&cid=c&t=exception"
    _ = try await Program.run(
      ["hits", "import", "-", "--store", store, "--destination", server.url("")], input: other)
    _ = try await Program.run(["hits", "dispatch", "--store", store])
    let listed = try await Program.run(["hits", "list", "--store", store, "--state", "quarantined", "--json"])
    let ids = try listed.json.compactMap { $0.map?["id"]?.string }
    #expect(ids.count == 2)
    #expect(try await Program.run(["hits", "retry", ids[0], "--store", store]).status == 0)
    #expect(try await Program.run(["hits", "retry", ids[0], "--store", store]).status == 1)
    let purged = try await Program.run(
      ["hits", "purge", "--state", "quarantined", "--yes", "--store", store, "--json"])
    #expect(try purged.json == [["purged": 1]])
    let left = try await Program.run(["hits", "list", "--store", store, "--json"])
    #expect(try left.json.map { $0.map?["state"] } == ["ready"])
    let stats = try await Program.run(["hits", "stats", "--store", store, "--json"])
    #expect(try stats.json.first?.map?["conserved"] == true)
    #expect(try stats.json.first?.map?["counters"]?.map?["dropped.purged"] == 1)
    for words in [
      ["retry"], ["retry", ids[0], "--all"], ["purge", "--state", "quarantined"],
      ["purge", "--state", "inflight", "--yes"],
    ] { #expect(try await Program.run(["hits"] + words + ["--store", store]).status == 2, "\(words)") }
  }

  @Test("HQ-910: send delivers one hit, by either protocol; a refused one is exit 1, no server exit 3")
  func send() async throws {
    let directory = try TemporaryDirectory()
    let server = try RunningServer(data: directory.file("data"), arguments: ["--property", "shop=key"])
    func send(_ words: [String]) async throws -> Program.Result {
      try await Program.run(["hits", "send", "--property", "shop", "--destination", server.url, "--json"] + words)
    }
    let event = try await send(["--event", "Video", "Play", "Cats", "3"])
    #expect(event.status == 0, "\(event.errors)")
    let documents = try event.json
    let id = try #require(documents.first?.map?["id"]?.string)
    #expect(documents.first?.map?["result"] == "good")
    #expect(try await send(["--screen", "Home"]).status == 0)
    #expect(try await send(["--event", "Video"]).status == 2)
    #expect(try await send(["--screen", "Home", "--event", "a", "b"]).status == 2)
    #expect(try await send(["--event", "a", "b", "c", "-1"]).status == 2)
    #expect(try await send(["--event", "", "b"]).status == 1)
    let shown = try await Program.run(["hits", "show", id, "--intake", directory.file("data"), "--json"])
    let fields = try shown.json.first?.map?["fields"]?.map
    #expect(["ec", "ea", "el", "ev"].map { fields?[$0] } == ["Video", "Play", "Cats", "3"])
    #expect(server.stop() == 0)
    #expect(try await send(["--screen", "Home"]).status == 3)
  }

  @Test("HQ-600, HQ-910: a lane's secret comes from the environment; without it the lane waits, reason noSecret")
  func secret() async throws {
    let directory = try TemporaryDirectory()
    let server = try RunningServer(data: directory.file("data"), arguments: ["--property", "shop=key"])
    let store = directory.file("store")
    let line =
      #"{"id":"\#(Self.id)","kind":"screenview","property":"shop","client":"c","age":0,"fields":{"cd":"Home"},"#
      + #""lane":{"protocol":"collector","endpoint":"\#(server.url)"}}"#
    #expect(try await Program.run(["hits", "import", "-", "--store", store], input: line).status == 0)
    let locked = try await Program.run(["hits", "dispatch", "--store", store, "--json"])
    #expect(locked.status == 1)
    #expect(try locked.json.first?.map?["reason"] == "noSecret")
    let sent = try await Program.run(
      ["hits", "dispatch", "--drain", "--store", store, "--json"], environment: ["TAGWORKS_SECRET_1": "key"])
    #expect(sent.status == 0, "\(sent.output)\(sent.errors)")
    #expect(try sent.json.first?.map?["accepted"] == 1)
    #expect(server.stop() == 0)
    let shown = try await Program.run(["hits", "show", Self.id, "--intake", directory.file("data"), "--json"])
    #expect(try shown.json.first?.map?["source"] == "v1")
  }

  @Test("HQ-635, HQ-703: validate judges files of either protocol, exit 1 when one is invalid")
  func validate() async throws {
    guard let corpus = Corpus.find(for: "hits validate") else { return }
    func validate(_ file: String, _ words: String...) async throws -> Program.Result {
      try await Program.run(["hits", "validate", corpus.root.appendingPathComponent("hits/\(file)").path] + words)
    }
    let good = try await validate("ga4_mp/073.json", "--protocol", "ga4", "--json")
    #expect(good.status == 0)
    #expect(try good.json == [["validationMessages": []]])
    let bad = try await validate("ga4_mp/074.json", "--protocol", "ga4", "--json")
    #expect(bad.status == 1)
    let messages = try bad.json.first?.map?["validationMessages"]?.list
    #expect(messages?.map { $0.map?["fieldPath"] } == ["events[0].name", "events[1].params.character"])
    #expect(messages?.map { $0.map?["validationCode"] } == ["NAME_INVALID", "VALUE_INVALID"])
    #expect(try await validate("mp_v1_batch/001.txt", "--protocol", "mp1").status == 0)
    let views = try await validate("mp_v1_batch/004.txt", "--protocol", "mp1", "--property", "555")
    #expect(views.status == 1)
    #expect(views.output.contains("ERROR VALUE_REQUIRED: A value is required for parameter 'dl'."))
    #expect(views.output.hasSuffix("Found 9 hit in the request.\n"))
    #expect(try await validate("mp_v1_batch/001.txt", "--protocol", "x").status == 2)
    #expect(try await validate("none", "--protocol", "ga4").status == 3)
  }

  @Test("HQ-350, HQ-910: a store with a damaged first page: check tells it with exit 1, dispatch mends it and sends")
  func damagedHeader() async throws {
    let directory = try TemporaryDirectory()
    let server = try RunningServer(data: directory.file("data"))
    let store = try await store(directory, events: 3, destination: server.url)
    // While a log is beside it, the first page of the log counts; a process that ends may leave one to the next.
    for _ in 0..<100 where FileManager.default.fileExists(atPath: store + "/hits.sqlite3-wal") {
      _ = try await Program.run(["hits", "purge", "--store", store, "--state", "held", "--yes"])
    }
    let file = try #require(FileHandle(forWritingAtPath: store + "/hits.sqlite3"))
    try file.write(contentsOf: Data(count: 100))
    try file.close()
    let check = try await Program.run(["hits", "check", "--store", store])
    #expect(check.status == 1)
    #expect(check.output.contains("hits.sqlite3: file is not a database"))
    let dispatch = try await Program.run(["hits", "dispatch", "--store", store])
    #expect(dispatch.status == 0, "\(dispatch.errors)")
    #expect(dispatch.output == "good: 3 sent, 3 accepted, 0 rejected, 0 remain\n")
    let nothing = try await Program.run(["hits", "check", "--store", directory.file("none")])
    #expect(nothing.status == 3)
    #expect(server.stop() == 0)
  }

  @Test("a damaged intake is refused by serve with the file's name, exit 3", arguments: ["", "no database, but text"])
  func damagedIntake(content: String) async throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(content, to: "intake.sqlite3")
    let result = try await Program.run(["serve", "--port", "0", "--data", directory.path])
    #expect(result.status == 3)
    #expect(result.errors.contains(path))
  }
}
