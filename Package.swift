// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

// Who may import whom is in ARCHITECTURE.md; Tests/WallTests holds the imports to that table.
let package = Package(
  name: "tagworks",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "Hits", targets: ["Hits"]),
    .library(name: "TagManager", targets: ["TagManager"]),
    .library(name: "Authoring", targets: ["Authoring"]),
    .library(name: "HitQueue", targets: ["HitQueue"]),
    .library(name: "WebTags", targets: ["WebTags"]),
    .library(name: "WebViewHost", targets: ["WebViewHost"]),
    .library(name: "VideoAds", targets: ["VideoAds"]),
    .library(name: "HTTPClient", targets: ["HTTPClient"]),
    .library(name: "Tagworks", targets: ["Tagworks"]),
    .library(name: "PlayerHost", targets: ["PlayerHost"]),
    .library(name: "Console", targets: ["Console"]),
    .executable(name: "tagworks", targets: ["tagworks"]),
    .executable(name: "tagworks-player", targets: ["tagworks-player"]),
  ],
  targets: [
    // System libraries: a module map and, where Swift cannot see a C call, wrappers of fixed arity in shim.h.
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CMicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),

    .systemLibrary(
      name: "CGStreamer", pkgConfig: "gstreamer-app-1.0",
      providers: [.apt(["libgstreamer1.0-dev", "libgstreamer-plugins-base1.0-dev"])]),
    .systemLibrary(name: "CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),

    // The oracle of the ad documents' reader; nothing of the product links it.
    .systemLibrary(
      name: "CXML2", path: "Tests/CXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),

    // Lets the system calls of a store fail, for tests; nothing of the product links it.
    .target(name: "CSystemFaults", path: "Tests/CSystemFaults"),

    .target(name: "Hits", swiftSettings: settings),
    .target(
      name: "Digests",
      dependencies: [.target(name: "CCrypto", condition: .when(platforms: [.linux]))],
      swiftSettings: settings),
    .target(name: "GzipFormat", dependencies: ["CZlib"], swiftSettings: settings),
    .target(name: "TagManager", dependencies: ["Hits", "Digests"], swiftSettings: settings),
    .target(name: "Authoring", dependencies: ["Hits", "TagManager"], swiftSettings: settings),
    .target(name: "DurableStore", dependencies: ["CSQLite"], swiftSettings: settings),
    // Our own C: what a signal handler may do, and nothing else.
    .target(name: "CCrashRecord"),
    .target(name: "HitQueue", dependencies: ["Hits", "DurableStore", "CCrashRecord"], swiftSettings: settings),
    .target(name: "WebTags", dependencies: ["Hits"], swiftSettings: settings),
    .target(name: "WebViewHost", dependencies: ["Hits", "WebTags"], swiftSettings: settings),
    .target(name: "VideoAds", dependencies: ["Hits"], swiftSettings: settings),
    .target(
      name: "HTTPClient",
      dependencies: [
        "Hits", "GzipFormat",
        .target(name: "CCurl", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: settings),
    .target(
      name: "Tagworks",
      dependencies: [
        "Hits", "Digests", "TagManager", "DurableStore", "HitQueue", "VideoAds", "WebTags", "WebViewHost", "HTTPClient",
      ],
      swiftSettings: settings),
    .target(
      name: "Console",
      dependencies: [
        "Hits", "Digests", "TagManager", "Authoring", "DurableStore", "HitQueue", "GzipFormat", "CMicrohttpd",
        "CSodium", "CQREncode",
      ],
      resources: [
        .embedInCode("Pages/Assets/console.css"), .embedInCode("Pages/Assets/console.js"),
        .embedInCode("Pages/Assets/live.js"),
      ],
      swiftSettings: settings),
    .target(
      name: "PlayerHost",
      dependencies: [
        "Hits", "VideoAds",
        .target(name: "CGStreamer", condition: .when(platforms: [.linux])),
        .target(name: "CGTK", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "tagworks-player", dependencies: ["Hits", "VideoAds", "PlayerHost", "HTTPClient"],
      swiftSettings: settings),
    .target(name: "TestSupport", dependencies: ["Hits", "VideoAds", "WebTags"], swiftSettings: settings),
    .executableTarget(
      name: "tagworks",
      dependencies: [
        "Hits", "Digests", "TagManager", "Authoring", "DurableStore", "HitQueue", "VideoAds", "HTTPClient",
        "GzipFormat", "WebTags", "WebViewHost", "Tagworks", "Console",
      ],
      resources: [
        .embedInCode("Demo/Shop/GTM-SHOP"), .embedInCode("Demo/Shop/GTM-SHOP.json"),
        .embedInCode("Demo/Shop/GTM-SHOP.workspace.json"), .embedInCode("Demo/Shop/session.ndjson"),
      ],
      swiftSettings: settings),

    .testTarget(name: "HitsTests", dependencies: ["Hits", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "DigestsTests", dependencies: ["Digests"], swiftSettings: settings),
    .testTarget(name: "GzipFormatTests", dependencies: ["GzipFormat"], swiftSettings: settings),
    .testTarget(name: "TagManagerTests", dependencies: ["TagManager", "Hits", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "AuthoringTests", dependencies: ["Authoring", "TagManager", "Hits", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "DurableStoreTests", dependencies: ["DurableStore", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "HitQueueTests",
      dependencies: ["HitQueue", "Hits", "DurableStore", "CCrashRecord", "CSystemFaults", "TestSupport"],
      // Files of released versions, read in place.
      exclude: ["Store/Releases"],
      swiftSettings: settings),
    .testTarget(name: "WebTagsTests", dependencies: ["WebTags", "Hits", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "VideoAdsTests",
      dependencies: [
        "VideoAds", "Hits", "TestSupport",
        .target(name: "CXML2", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "PlayerHostTests",
      dependencies: ["PlayerHost", "tagworks", "tagworks-player", "VideoAds", "HTTPClient", "Hits", "TestSupport"],
      swiftSettings: settings),
    .testTarget(name: "HTTPClientTests", dependencies: ["HTTPClient", "Hits", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "TagworksTests",
      dependencies: ["Tagworks", "TagManager", "HitQueue", "VideoAds", "WebTags", "Digests", "Hits", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ConsoleTests",
      dependencies: [
        "Console", "Tagworks", "Authoring", "TagManager", "HTTPClient", "HitQueue", "Hits", "DurableStore", "Digests",
        "GzipFormat", "WebTags", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CommandTests", dependencies: ["tagworks", "Tagworks", "TagManager", "HTTPClient", "Hits", "TestSupport"],
      swiftSettings: settings),
    // An app in a process of its own, which the acceptance tests start.
    .executableTarget(
      name: "AcceptanceApp", dependencies: ["Tagworks", "TagManager", "HitQueue", "Hits"], path: "Tests/AcceptanceApp",
      swiftSettings: settings),
    .testTarget(
      name: "AcceptanceTests",
      dependencies: [
        "AcceptanceApp", "tagworks", "Console", "Authoring", "Tagworks", "TagManager", "HTTPClient", "HitQueue", "Hits",
        "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(name: "WallTests", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

#if os(Linux)
  // The hidden page's engine, in a helper process: whoever wants no web tags builds the other products without WebKit.
  package.products += [
    .library(name: "WebKitGTKHost", targets: ["WebKitGTKHost"]),
    .executable(name: "tagworks-webhost", targets: ["tagworks-webhost"]),
  ]
  package.targets += [
    .systemLibrary(
      name: "CWebKitGTK", pkgConfig: "webkitgtk-6.0", providers: [.apt(["libwebkitgtk-6.0-dev", "libgl1-mesa-dri"])]),
    // Our own C: a Wayland display that shows nothing.
    .target(name: "CHiddenDisplay", linkerSettings: [.linkedLibrary("wayland-server")]),
    .target(
      name: "WebKitGTKHost", dependencies: ["Hits", "WebTags", "CWebKitGTK", "CHiddenDisplay"],
      swiftSettings: settings),
    .executableTarget(
      name: "tagworks-webhost", dependencies: ["WebTags", "WebViewHost", "WebKitGTKHost"], swiftSettings: settings),
    // The helper without an engine, for the tests of its client.
    .executableTarget(
      name: "scripted-webhost", dependencies: ["WebTags", "WebViewHost", "TestSupport"], path: "Tests/ScriptedWebhost",
      swiftSettings: settings),
    // An app with web tags in a process of its own, which a test kills.
    .executableTarget(
      name: "webtags-app", dependencies: ["Tagworks", "WebTags", "WebViewHost", "Hits"], path: "Tests/WebTagsApp",
      swiftSettings: settings),
    .testTarget(
      name: "WebViewHostTests",
      dependencies: ["scripted-webhost", "WebViewHost", "WebTags", "Hits", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "WebKitGTKHostTests",
      dependencies: [
        "WebKitGTKHost", "WebViewHost", "tagworks-webhost", "webtags-app", "WebTags", "Hits",
        "TestSupport",
      ],
      swiftSettings: settings),
  ]
#endif
