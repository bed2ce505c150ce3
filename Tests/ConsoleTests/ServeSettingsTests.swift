import Console
import Testing

@Suite("Serve settings") struct ServeSettingsTests {
  @Test("CO-101: a flag goes before the environment, that before the default")
  func precedence() throws {
    let defaults = try ServeSettings(environment: [:])
    #expect(defaults.host == "127.0.0.1")
    #expect(defaults.port == 8080)
    #expect(defaults.data.hasSuffix("/.local/share/tagworks"))
    #expect(!defaults.data.contains("~"))
    #expect(defaults.properties == [])
    #expect(!defaults.requiresKey)
    #expect(defaults.rate == 1000)
    #expect(defaults.retention == RetentionPolicy())
    #expect(defaults.trustedProxies == TrustedProxies())
    #expect(defaults.logFormat == .text)
    #expect(defaults.dedupeDays == 45)
    #expect(defaults.addresses == .masked)
    #expect(defaults.origins == [])
    #expect(defaults.database == nil)
    #expect(defaults.publicURL == nil)
    let environment = [
      "TAGWORKS_HOST": "::1", "TAGWORKS_PORT": "9", "TAGWORKS_DATA": "/d", "TAGWORKS_PROPERTY": "UA-1-1,shop=key",
      "TAGWORKS_REQUIRE_KEY": "1", "TAGWORKS_RETENTION": "90", "TAGWORKS_DEDUPE": "400", "TAGWORKS_ADDRESSES": "none",
      "TAGWORKS_ORIGIN": "https://a,https://b", "TAGWORKS_DATABASE": "sqlite:/d/c.sqlite3",
      "TAGWORKS_PUBLIC_URL": "https://tags.example.com/base/", "TAGWORKS_RETENTION_SIZE": "shop=2,50",
      "TAGWORKS_RATE": "7", "TAGWORKS_TRUSTED_PROXY": "10.0.0.0/8,::1", "TAGWORKS_LOG_FORMAT": "json",
    ]
    let surrounding = try ServeSettings(environment: environment)
    #expect(surrounding.host == "::1")
    #expect(surrounding.port == 9)
    #expect(surrounding.data == "/d")
    #expect(surrounding.properties.map(\.id) == ["UA-1-1", "shop"])
    #expect(surrounding.properties.map(\.writeKeys) == [[], ["key"]])
    #expect(surrounding.requiresKey)
    #expect(surrounding.rate == 7)
    #expect(surrounding.retention.standard == .init(days: 90, bytes: 50_000_000))
    #expect(surrounding.retention.byProperty == ["shop": .init(bytes: 2_000_000)])
    #expect(surrounding.trustedProxies.blocks.count == 2)
    #expect(surrounding.logFormat == .json)
    #expect(surrounding.dedupeDays == 400)
    #expect(surrounding.addresses == AddressPolicy.none)
    #expect(surrounding.origins == ["https://a", "https://b"])
    #expect(surrounding.database == "/d/c.sqlite3")
    #expect(surrounding.publicURL == "https://tags.example.com/base")
    let flags = try ServeSettings(
      flags: [
        "--host": ["0.0.0.0"], "--port": ["0"], "--data": ["/e"], "--property": ["a=b=c"],
        "--retention": ["1", "UA-1-1=400"], "--dedupe": ["2"], "--addresses": ["full"], "--origin": ["https://c"],
        "--require-key": [""], "--database": ["sqlite:e"], "--public-url": ["http://localhost:9"],
      ], environment: environment)
    #expect(flags.database == "e")
    #expect(flags.publicURL == "http://localhost:9")
    #expect(flags.requiresKey)
    #expect(flags.retention.standard.days == 1)
    #expect(flags.retention.byProperty["UA-1-1"] == .init(days: 400))
    #expect(flags.dedupeDays == 2)
    #expect(flags.addresses == .full)
    #expect(flags.origins == ["https://c"])
    #expect(flags.host == "0.0.0.0")
    #expect(flags.port == 0)
    #expect(flags.data == "/e")
    #expect(flags.properties.map(\.id) == ["a"])
    #expect(flags.properties.map(\.writeKeys) == [["b=c"]])
  }

  @Test(
    "CO-101: a value that cannot be used is one clear line",
    arguments: [
      (["TAGWORKS_PORT": "65536"], "--port 65536 is not a number from 0 to 65535"),
      (["TAGWORKS_PORT": "-1"], "--port -1 is not a number from 0 to 65535"),
      (["TAGWORKS_PORT": "web"], "--port web is not a number from 0 to 65535"),
      (["TAGWORKS_PORT": "٣"], "--port ٣ is not a number from 0 to 65535"),
      (["TAGWORKS_DEDUPE": "1"], "--dedupe 1 is not a number of days from 2 to 400"),
      (["TAGWORKS_RETENTION": "0"], "--retention 0 is not a number of days from 1 to 36500"),
      (["TAGWORKS_RETENTION": "shop="], "--retention  is not a number of days from 1 to 36500"),
      (["TAGWORKS_RETENTION": "a b=3"], "--retention a b=3: a b is not a property id"),
      (["TAGWORKS_RETENTION_SIZE": "1GB"], "--retention-size 1GB is not a number of megabytes from 1 to 1000000000"),
      (["TAGWORKS_RATE": "0"], "--rate 0 is not a number from 1 to 1000000"),
      (
        ["TAGWORKS_TRUSTED_PROXY": "10.0.0.0/33"],
        "--trusted-proxy 10.0.0.0/33 is not an address or a block of addresses, such as 10.0.0.0/8"
      ), (["TAGWORKS_LOG_FORMAT": "xml"], "--log-format xml is not text or json"),
      (["TAGWORKS_ADDRESSES": "some"], "--addresses some is not full, masked or none"),
      (["TAGWORKS_HOST": ""], "--host is empty"), (["TAGWORKS_DATA": ""], "--data is empty"),
      (
        ["TAGWORKS_PROPERTY": "UA-1"],
        "--property UA-1 is not a property id: UA-12345-1, or up to 64 of A-Z a-z 0-9 . _ : -"
      ), (["TAGWORKS_DATABASE": "postgres://x"], "--database postgres://x is not sqlite:PATH"),
      (["TAGWORKS_DATABASE": "sqlite:"], "--database sqlite: is not sqlite:PATH"),
      (
        ["TAGWORKS_PUBLIC_URL": "tags.example.com"],
        "--public-url tags.example.com is not an http or https URL without a query"
      ),
      (
        ["TAGWORKS_PUBLIC_URL": "https://a/?b"], "--public-url https://a/?b is not an http or https URL without a query"
      ),
      (["TAGWORKS_PROPERTY": "a="], "--property a= has an empty write key"),
    ])
  func unusable(environment: [String: String], message: String) {
    let error = #expect(throws: ConsoleError.self) { try ServeSettings(environment: environment) }
    #expect(error?.code == .invalidSetting)
    #expect(error?.message == message)
  }
}
