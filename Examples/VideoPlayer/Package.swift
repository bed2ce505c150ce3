// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "video-player",
  dependencies: [.package(name: "tagworks", path: "../..")],
  targets: [
    .executableTarget(
      name: "VideoPlayer",
      dependencies: [
        .product(name: "Tagworks", package: "tagworks"),
        .product(name: "VideoAds", package: "tagworks"),
        .product(name: "PlayerHost", package: "tagworks"),
        .product(name: "HTTPClient", package: "tagworks"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
