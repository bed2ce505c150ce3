// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "fuzzers",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "tagworks", path: "..")],
  targets: [
    // The decoders under test and the documents that inputs are made from.
    .target(
      name: "Decoders",
      dependencies: [
        .product(name: "Hits", package: "tagworks"),
        .product(name: "TagManager", package: "tagworks"),
        .product(name: "Authoring", package: "tagworks"),
      ]),
    // swift run -c release --package-path Fuzzers fuzz --seconds 60
    .executableTarget(name: "fuzz", dependencies: ["Decoders"]),
    // Guided by coverage, under the address sanitizer; an Apple toolchain has no libFuzzer:
    // swift run -c release --package-path Fuzzers -Xswiftc -sanitize=fuzzer,address fuzz-guided DIRECTORY -max_total_time=60
    .systemLibrary(name: "CLibFuzzer"),
    .executableTarget(
      name: "fuzz-guided", dependencies: ["Decoders", "CLibFuzzer"],
      linkerSettings: [
        .unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"], .when(platforms: [.linux]))
      ]),
  ],
  swiftLanguageModes: [.v6]
)
