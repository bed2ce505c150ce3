// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "fuzzers",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "tagworks", path: "..")],
  targets: [
    .executableTarget(
      name: "fuzz",
      dependencies: [
        .product(name: "Hits", package: "tagworks"),
        .product(name: "TagManager", package: "tagworks"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
