// swift-tools-version: 6.3
import PackageDescription

/// Settings that every Swift target shares: warnings are errors, and unsafe code has to say so.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .treatAllWarnings(as: .error),
]

/// A Swift target of `Sources/`, under the shared settings.
func module(_ name: String, needs dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// The tests of one module; `Vectors` and `Golden` hold data and are read from the source tree.
func tests(_ name: String, needs dependencies: [Target.Dependency], data: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], exclude: data,
    swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)])
}

/// What `tools/fuzz` builds: a driver that needs libFuzzer, which no ordinary build does.
let fuzzing: [Target] =
  Context.environment["SKAN_FUZZ"] == nil
  ? []
  : [
    .systemLibrary(name: "CFuzzer", path: "Tests/CFuzzer"),
    .executableTarget(
      name: "skan-fuzz", dependencies: ["CFuzzer", "FuzzLaws"], path: "Tests/FuzzDriver",
      swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)],
      // gold stops with an error of its own at what the sanitizer emits.
      linkerSettings: [.unsafeFlags(["-use-ld=lld"])]),
  ]

let package = Package(
  name: "skan",
  products: [.executable(name: "skan", targets: ["skan"])],
  targets: [
    // Floor 0: C libraries from Debian.
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"])]),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),

    // Floor 1, edges: the only modules that touch C or hold unsafe code.
    module("Platform", needs: ["CMalloc"]),
    module("SQLite", needs: ["CSQLite"]),
    module("Crypto", needs: ["COpenSSL", "Platform"]),
    module("Gzip", needs: ["CZlib"]),
    module("HTTPServer", needs: ["CMicroHTTPD", "CGnuTLS", "Platform"]),
    module("HTTPClient", needs: ["CCurl"]),
    module("Numerics", needs: ["CGSL", "Platform"]),

    // Floor 2, domain: no clock, no dice, no input or output, no Foundation.
    module("JSONText"),
    module("CSVText"),
    module("Postbacks", needs: ["JSONText", "Crypto", "Platform"]),
    module("ConversionMapping", needs: ["Postbacks", "JSONText", "CSVText", "Platform"]),
    module("Arguments", needs: ["Platform"]),

    // Floor 3, services.
    module("Verification", needs: ["Postbacks", "Crypto", "JSONText", "Platform"]),
    module("Simulation", needs: ["ConversionMapping", "Postbacks", "Platform"]),
    module("Estimation", needs: ["ConversionMapping", "Numerics", "Platform"]),
    module("MappingDesign", needs: ["Simulation", "ConversionMapping", "Postbacks", "Platform"]),
    module(
      "Signing", needs: ["Verification", "Simulation", "Postbacks", "Crypto", "JSONText", "Platform"]),
    module("Ledger", needs: ["SQLite", "Postbacks", "Verification", "Platform", "Crypto"]),
    module(
      "Reporting",
      needs: [
        "Ledger", "Estimation", "ConversionMapping", "Postbacks", "Verification", "JSONText", "CSVText",
        "Platform", "Crypto",
      ]),
    module(
      "Ingestion",
      needs: [
        "Ledger", "Verification", "Postbacks", "ConversionMapping", "JSONText", "CSVText", "Gzip", "Crypto",
        "Simulation", "Platform",
      ]),
    module(
      "SimulationReports",
      needs: [
        "Simulation", "ConversionMapping", "Postbacks", "Reporting", "CSVText", "JSONText", "Platform",
      ]),
    module(
      "Alerts",
      needs: [
        "Ledger", "Reporting", "Estimation", "ConversionMapping", "Postbacks", "Verification", "JSONText",
        "CSVText", "Crypto", "Platform",
      ]),
    module(
      "Service",
      needs: [
        "Alerts", "Ingestion", "Ledger", "Reporting", "Estimation", "Verification", "Postbacks", "JSONText",
        "HTTPServer", "Gzip", "Platform", "Crypto",
      ]),

    // Floor 4, programs.
    module(
      "SkanCommands",
      needs: [
        "Arguments", "Platform", "JSONText", "CSVText", "Postbacks", "ConversionMapping", "Verification",
        "Signing", "Simulation", "SimulationReports", "MappingDesign", "Estimation", "Ledger", "Reporting",
        "Ingestion", "Service", "HTTPServer", "Gzip", "Crypto", "SQLite", "Alerts", "HTTPClient",
      ]),
    .executableTarget(name: "skan", dependencies: ["SkanCommands", "Platform"], swiftSettings: strict),
    .executableTarget(
      name: "skan-bench",
      dependencies: [
        "Platform", "Crypto", "Postbacks", "Verification", "Signing", "Ledger", "ConversionMapping",
        "Simulation", "MappingDesign", "Ingestion", "Gzip", "Estimation", "Numerics", "Reporting",
      ],
      swiftSettings: strict),

    // Tests.
    .target(name: "TestSupport", dependencies: ["Platform"], path: "Tests/TestSupport"),
    .target(
      name: "FuzzLaws",
      dependencies: [
        "JSONText", "CSVText", "Postbacks", "Crypto", "Verification", "ConversionMapping", "Ingestion",
        "Ledger", "Reporting", "Simulation", "SkanCommands", "Platform",
      ],
      path: "Tests/FuzzLaws",
      swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]),
    tests("FuzzTests", needs: ["FuzzLaws", "Platform"]),
    // A disk that fails and loses its power when a test wants it to.
    .target(name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tests/CFaultVFS"),
    tests(
      "LedgerTests",
      needs: ["Ledger", "Postbacks", "Verification", "SQLite", "Platform", "Crypto", "CFaultVFS"]),
    tests("IngestionTests", needs: ["Ingestion", "Simulation", "ConversionMapping", "CSVText", "Platform"]),
    tests(
      "ReportingTests",
      needs: [
        "Reporting", "Estimation", "Ledger", "ConversionMapping", "Postbacks", "Verification", "Platform",
        "JSONText",
      ],
      data: ["Golden"]),
    tests(
      "ServiceTests",
      needs: [
        "Service", "Ingestion", "Reporting", "Verification", "HTTPServer", "Ledger", "SQLite", "JSONText",
        "Crypto", "Platform",
      ]),
    tests(
      "AlertsTests",
      needs: ["Alerts", "Ledger", "Postbacks", "Verification", "Crypto", "Numerics", "JSONText", "Platform"]),
    tests("HTTPClientTests", needs: ["HTTPClient", "HTTPServer", "Platform"]),
    tests("PlatformTests", needs: ["Platform"]),
    tests("GzipTests", needs: ["Gzip", "Platform"]),
    tests("HTTPServerTests", needs: ["HTTPServer", "Platform"]),
    tests("ArgumentsTests", needs: ["Arguments", "Platform"], data: ["Golden"]),
    tests("JSONTextTests", needs: ["JSONText", "Platform"]),
    tests("CSVTextTests", needs: ["CSVText", "Platform"]),
    tests("CryptoTests", needs: ["Crypto", "JSONText", "Platform"]),
    tests(
      "ConversionMappingTests", needs: ["ConversionMapping", "Postbacks", "JSONText", "Platform"],
      data: ["Vectors"]),
    tests(
      "SimulationTests", needs: ["Simulation", "ConversionMapping", "Postbacks", "Platform"],
      data: ["Vectors"]),
    tests(
      "SimulationReportsTests",
      needs: [
        "SimulationReports", "Simulation", "ConversionMapping", "Reporting", "Platform",
      ],
      data: ["Golden"]),
    tests("NumericsTests", needs: ["Numerics", "Platform"]),
    tests(
      "EstimationTests",
      needs: ["Estimation", "ConversionMapping", "Postbacks", "Numerics", "JSONText", "Platform"],
      data: ["Vectors"]),
    tests(
      "MappingDesignTests",
      needs: [
        "MappingDesign", "Simulation", "ConversionMapping", "Postbacks", "JSONText", "Ingestion", "Gzip",
        "Platform",
      ],
      data: ["Vectors"]),
    tests("PostbacksTests", needs: ["Postbacks", "Crypto", "JSONText"]),
    tests(
      "VerificationTests", needs: ["Verification", "Signing", "Postbacks", "Crypto", "JSONText", "Platform"],
      data: ["Vectors"]),
    tests(
      "SkanCommandsTests",
      needs: [
        "SkanCommands", "Arguments", "JSONText", "ConversionMapping", "Platform", "Gzip", "Crypto", "Ledger",
        "SQLite", "Postbacks", "Verification", "Service", "Alerts", "HTTPServer", "HTTPClient",
      ],
      data: ["Golden", "Scenarios"]),
    tests(
      "EndToEndTests",
      needs: ["skan", "JSONText", "Platform", "Gzip", "SQLite", "Signing", "Verification", "Crypto"]),
  ] + fuzzing,
  swiftLanguageModes: [.v6]
)
