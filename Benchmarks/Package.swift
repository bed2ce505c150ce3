// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "tagworks", path: "..")],
  targets: [
    // Counts every call of malloc in the process by standing in front of libc's.
    .target(name: "CAllocations"),
    // What the queue's work costs in plain C, and a server to send to.
    .target(
      name: "CBaselines",
      linkerSettings: [
        .linkedLibrary("sqlite3"), .linkedLibrary("curl"), .linkedLibrary("z"), .linkedLibrary("microhttpd"),
      ]),
    // What reading XML costs in plain C.
    .target(
      name: "CXMLBaseline", cSettings: [.unsafeFlags(["-I/usr/include/libxml2"])],
      linkerSettings: [.linkedLibrary("expat"), .linkedLibrary("xml2")]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CAllocations", "CBaselines", "CXMLBaseline",
        .product(name: "Hits", package: "tagworks"),
        .product(name: "TagManager", package: "tagworks"),
        .product(name: "Authoring", package: "tagworks"),
        .product(name: "HitQueue", package: "tagworks"),
        .product(name: "WebTags", package: "tagworks"),
        .product(name: "WebViewHost", package: "tagworks"),
        .product(name: "VideoAds", package: "tagworks"),
        .product(name: "Tagworks", package: "tagworks"),
        .product(name: "HTTPClient", package: "tagworks"),
        .product(name: "Console", package: "tagworks"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
