// swift-tools-version: 6.0
// The libraries for apps as a package of their own, which names no library of the server. The package of the whole source
// has the same modules under the rules of the server. 6.0 is the lowest version whose compiler knows typed throws.
import PackageDescription

let package = Package(
  name: "SkanMapping",
  // The lowest that has actors. Apple's calls need iOS 16.1, and are compiled for it.
  platforms: [.iOS(.v13), .macCatalyst(.v13), .macOS(.v10_15), .tvOS(.v13), .watchOS(.v6), .visionOS(.v1)],
  products: [
    .library(name: "SkanMapping", targets: ["SkanMapping"]),
    .library(name: "SkanApp", targets: ["SkanApp"]),
  ],
  targets: [
    .target(name: "SkanMapping", path: "SkanMapping"),
    .target(name: "SkanApp", dependencies: ["SkanMapping"], path: "SkanApp"),
  ])
