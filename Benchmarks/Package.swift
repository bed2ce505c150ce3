// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "tagworks", path: "..")],
  targets: [
    // Counts every call of malloc in the process by standing in front of libc's.
    .target(name: "CAllocations"),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CAllocations",
        .product(name: "Hits", package: "tagworks"),
        .product(name: "TagManager", package: "tagworks"),
        .product(name: "HitQueue", package: "tagworks"),
        .product(name: "HTTPClient", package: "tagworks"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
