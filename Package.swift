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

/// Modules in whose loops the tests spend most of their time; `tools/test` has them optimised in its debug build.
let busyInTests: Set = [
  "Values", "JSONText", "Numerics", "Postbacks", "Mappings", "Simulation", "MappingDesign", "Estimates",
]
let optimised: [SwiftSetting] =
  Context.environment["SKAN_OPTIMISE"] == nil ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// A Swift module under the shared settings; `folder` is its floor.
func module(
  _ name: String, in folder: String, needs dependencies: [Target.Dependency] = [],
  embeds texts: [String] = [], beside others: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)", exclude: others,
    resources: texts.map { .embedInCode($0) },
    swiftSettings: strict + (busyInTests.contains(name) ? optimised : []))
}

/// A C library of Debian.
func library(_ name: String, _ pkgConfig: String? = nil, _ debian: String? = nil) -> Target {
  .systemLibrary(
    name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: debian.map { [.apt([$0])] })
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
  products: [
    .executable(name: "skan", targets: ["skan"]),
    .library(name: "SkanMapping", targets: ["SkanMapping"]),
  ],
  targets: [
    // C: libraries from Debian.
    library("CSQLite", "sqlite3", "libsqlite3-dev"),
    library("COpenSSL", "libcrypto", "libssl-dev"),
    library("CMicroHTTPD", "libmicrohttpd", "libmicrohttpd-dev"),
    library("CGnuTLS", "gnutls", "libgnutls28-dev"),
    library("CZlib", "zlib", "zlib1g-dev"),
    library("CGSL", "gsl", "libgsl-dev"),
    library("CGMP", "gmp", "libgmp-dev"),
    library("CMalloc"),
    library("CCurl", "libcurl", "libcurl4-openssl-dev"),

    // Values: pure Swift: no input or output, no clock, no C.
    module("Values", in: "Values"),
    module("JSONText", in: "Values", needs: ["Values"]),
    module("CSVText", in: "Values"),
    module("Tables", in: "Values", needs: ["Values", "JSONText", "CSVText", "Arguments"]),
    module("Arguments", in: "Values", needs: ["Values"]),
    module("Markup", in: "Values", needs: ["Values"]),

    // Edges: the only modules that touch C or hold unsafe code.
    module("System", in: "Edges", needs: ["CMalloc", "Values"]),
    module("SQLite", in: "Edges", needs: ["CSQLite", "System"]),
    module("BigNumbers", in: "Edges", needs: ["CGMP"]),
    module("OpenSSL", in: "Edges", needs: ["COpenSSL", "BigNumbers", "Values", "System"]),
    module("Gzip", in: "Edges", needs: ["CZlib", "Values"]),
    module("HTTPServer", in: "Edges", needs: ["CMicroHTTPD", "CGnuTLS", "Values", "System"]),
    module("HTTPClient", in: "Edges", needs: ["CCurl"]),
    module("PropertyLists", in: "Edges"),
    module("Numerics", in: "Edges", needs: ["CGSL", "Values", "System"]),

    // Domain: what Apple sends and what values mean.
    module("Postbacks", in: "Domain", needs: ["Values", "JSONText"]),
    module("Mappings", in: "Domain", needs: ["Values", "JSONText", "Postbacks"]),
    module(
      "MappingFormats", in: "Domain", needs: ["Values", "JSONText", "CSVText", "Postbacks", "Mappings"]),

    // App: what runs inside an app; needs nothing, and nothing of the server needs it.
    module("SkanMapping", in: "App"),

    // Receiving: bytes are judged, stored and counted.
    module("NetworkForms", in: "Receiving", needs: ["Values", "JSONText", "Postbacks"]),
    module("Verification", in: "Receiving", needs: ["Values", "JSONText", "OpenSSL", "Postbacks"]),
    module(
      "Ledger", in: "Receiving",
      needs: ["Values", "System", "SQLite", "OpenSSL", "Postbacks", "Verification"]),
    module(
      "Intake", in: "Receiving",
      needs: [
        "Values", "JSONText", "CSVText", "System", "Postbacks", "NetworkForms", "Verification", "Ledger",
      ]),

    // Simulation: users are replayed through Apple's rules.
    module("Simulation", in: "Simulation", needs: ["Values", "System", "Postbacks", "Mappings"]),
    module(
      "EventFiles", in: "Simulation",
      needs: ["Values", "JSONText", "CSVText", "System", "Gzip", "Postbacks", "Mappings", "Simulation"],
      embeds: ["countries.tsv"]),
    module(
      "Signing", in: "Simulation",
      needs: ["Values", "JSONText", "OpenSSL", "Postbacks", "Verification", "Simulation"]),
    module(
      "MappingDesign", in: "Simulation", needs: ["Values", "System", "Postbacks", "Mappings", "Simulation"]),
    module(
      "SimulationReports", in: "Simulation",
      needs: ["Values", "JSONText", "CSVText", "Tables", "Markup", "Postbacks", "Mappings", "Simulation"]),

    module(
      "MappingTrial", in: "Simulation",
      needs: [
        "Values", "JSONText", "System", "Postbacks", "Mappings", "Simulation", "EventFiles", "MappingDesign",
      ]),

    // Reporting: what is stored is decoded, estimated and watched.
    module(
      "MappingLibrary", in: "Reporting",
      needs: [
        "Values", "JSONText", "Arguments", "System", "OpenSSL", "Postbacks", "Mappings", "Ledger",
      ]),
    module(
      "MappingDrafts", in: "Reporting",
      needs: [
        "Values", "JSONText", "System", "Postbacks", "Mappings", "MappingFormats", "Ledger", "MappingLibrary",
      ]),
    module(
      "Estimates", in: "Reporting",
      needs: ["Values", "System", "Numerics", "Postbacks", "Mappings", "Ledger"]),
    module(
      "Reporting", in: "Reporting",
      needs: [
        "Values", "Arguments", "Tables", "Postbacks", "Mappings", "Ledger", "MappingLibrary", "Estimates",
      ], embeds: ["Reference/built-in-names.csv"]),
    module(
      "UserWorth", in: "Reporting",
      needs: ["Values", "Postbacks", "Mappings", "Ledger", "Simulation", "EventFiles", "MappingLibrary"]),
    module(
      "DataImports", in: "Reporting",
      needs: [
        "Values", "Arguments", "Tables", "Postbacks", "Ledger", "Intake", "UserWorth", "Reporting",
      ]),
    module(
      "Explanations", in: "Reporting",
      needs: [
        "Values", "JSONText", "Postbacks", "Mappings", "Verification", "Ledger", "MappingLibrary",
        "Reporting",
      ]),
    module(
      "Export", in: "Reporting",
      needs: ["Values", "JSONText", "System", "OpenSSL", "Gzip", "Postbacks", "Ledger", "Reporting"]),
    module(
      "Alerts", in: "Reporting",
      needs: [
        "Values", "JSONText", "Arguments", "Tables", "Postbacks", "Ledger", "MappingLibrary", "Estimates",
      ]),
    module(
      "HealthChecks", in: "Reporting",
      needs: [
        "Values", "System", "HTTPClient", "Postbacks", "Mappings", "Verification", "Ledger", "MappingLibrary",
      ]),
    module("AppSetup", in: "Reporting", needs: ["Values", "PropertyLists"]),
    module(
      "Webhooks", in: "Reporting",
      needs: ["Values", "JSONText", "OpenSSL", "HTTPClient", "Postbacks", "Ledger"]),
    module(
      "Relays", in: "Reporting",
      needs: [
        "Values", "JSONText", "System", "HTTPClient", "Postbacks", "Ledger", "Explanations", "Webhooks",
      ]),

    // Web: requests and answers.
    module(
      "Routing", in: "Web",
      needs: [
        "Values", "JSONText", "System", "OpenSSL", "Gzip", "HTTPServer", "NetworkForms", "Ledger",
      ]),
    module(
      "PostbackRoutes", in: "Web",
      needs: [
        "JSONText", "System", "HTTPServer", "Postbacks", "Verification", "Ledger", "Intake", "Routing",
      ]),
    module(
      "ReadRoutes", in: "Web",
      needs: ["Values", "Arguments", "Tables", "System", "HTTPServer", "Verification", "Ledger", "Routing"]),
    module(
      "ReadResources", in: "Web",
      needs: [
        "JSONText", "Arguments", "Tables", "MappingLibrary", "Reporting", "Explanations", "Alerts",
        "ReadRoutes",
      ]),
    module(
      "PageAccess", in: "Web", needs: ["Values", "System", "OpenSSL", "HTTPServer", "Routing"]),
    module(
      "Pages", in: "Web",
      needs: ["Values", "Arguments", "Tables", "Markup", "HTTPServer", "Ledger", "Routing", "PageAccess"],
      beside: ["Assets", "Text"]),
    module(
      "Screens", in: "Web",
      needs: ["Values", "Arguments", "Tables", "Markup", "Postbacks", "Ledger", "Reporting", "Pages"]),
    module(
      "EvidenceScreens", in: "Web",
      needs: [
        "Arguments", "Tables", "Markup", "Verification", "Reporting", "Explanations", "Pages", "Screens",
      ]),
    module(
      "OperationScreens", in: "Web",
      needs: [
        "Values", "Arguments", "Tables", "Markup", "Ledger", "Reporting", "DataImports", "Pages",
      ]),
    module(
      "MappingScreens", in: "Web",
      needs: [
        "Values", "Arguments", "Markup", "Pages", "JSONText", "Mappings", "MappingDrafts", "MappingTrial",
      ]),
    module(
      "ExperimentScreens", in: "Web",
      needs: [
        "Values", "Arguments", "Markup", "Mappings", "MappingDrafts", "MappingTrial", "Estimates", "Pages",
      ]),
    module(
      "HealthScreens", in: "Web",
      needs: ["Values", "Arguments", "Markup", "Verification", "Ledger", "HealthChecks", "Pages"]),
    module(
      "SiteScreens", in: "Web",
      needs: [
        "Verification", "Pages", "Screens", "EvidenceScreens", "OperationScreens", "MappingScreens",
        "ExperimentScreens", "HealthScreens",
      ]),
    module(
      "Service", in: "Web",
      needs: [
        "Values", "System", "HTTPServer", "Ledger", "Intake", "Routing", "PostbackRoutes", "ReadRoutes",
      ]),
    module(
      "Listeners", in: "Web",
      needs: [
        "Values", "HTTPServer", "Verification", "Routing", "ReadResources", "Pages", "SiteScreens", "Service",
      ]),

    // Programs: what people start.
    module(
      "Daemon", in: "Programs",
      needs: [
        "Values", "JSONText", "System", "OpenSSL", "HTTPServer", "Verification", "Ledger",
        "Intake", "MappingLibrary", "Alerts", "Webhooks", "Relays", "Routing", "Service", "Listeners",
      ]),
    module(
      "CommandSupport", in: "Programs",
      needs: [
        "Values", "JSONText", "Arguments", "Tables", "System", "Gzip", "Postbacks", "Mappings",
        "MappingFormats", "Verification", "Ledger", "EventFiles", "Alerts", "Daemon",
      ]),
    module(
      "PostbackCommands", in: "Programs",
      needs: [
        "Values", "JSONText", "Arguments", "Tables", "System", "Gzip", "Postbacks", "NetworkForms",
        "Verification", "Ledger", "Intake", "Signing", "Routing", "Daemon", "CommandSupport",
      ]),
    module(
      "ReferenceCommands", in: "Programs",
      needs: [
        "Values", "Arguments", "Tables", "System", "Postbacks", "Mappings",
        "Ledger", "Intake", "EventFiles", "MappingLibrary", "Estimates", "Reporting",
        "UserWorth", "DataImports", "CommandSupport",
      ]),
    module(
      "MappingCommands", in: "Programs",
      needs: [
        "Values", "JSONText", "Arguments", "Tables", "System", "Postbacks", "Mappings", "MappingFormats",
        "Ledger", "Simulation", "EventFiles", "MappingDesign", "MappingLibrary", "MappingDrafts",
        "CommandSupport",
      ]),
    module(
      "SimulationCommands", in: "Programs",
      needs: [
        "Values", "JSONText", "Arguments", "Tables", "System", "Postbacks", "Mappings", "MappingFormats",
        "Simulation", "EventFiles", "Signing", "SimulationReports", "Estimates", "CommandSupport",
      ]),
    module(
      "ReportCommands", in: "Programs",
      needs: [
        "Values", "JSONText", "Arguments", "Tables", "System", "Postbacks",
        "Ledger", "Estimates", "Reporting", "Explanations", "Export", "Alerts", "CommandSupport",
      ]),
    module(
      "ServiceCommands", in: "Programs",
      needs: [
        "Values", "JSONText", "Arguments", "Tables", "System", "OpenSSL", "Verification", "Ledger",
        "HealthChecks", "Webhooks", "Relays", "Routing", "Service", "Daemon", "CommandSupport",
      ]),
    module(
      "SetupCommands", in: "Programs",
      needs: [
        "Values", "JSONText", "Arguments", "Tables", "System", "Postbacks", "Verification", "Ledger",
        "Explanations", "HealthChecks", "AppSetup", "Routing", "Daemon", "CommandSupport",
      ]),
    module(
      "Commands", in: "Programs",
      needs: [
        "Values", "Arguments", "System", "Reporting", "CommandSupport",
        "PostbackCommands", "ReferenceCommands", "MappingCommands", "SimulationCommands", "ReportCommands",
        "ServiceCommands", "SetupCommands",
      ], embeds: ["file-formats.md"]),
    .executableTarget(
      name: "skan", dependencies: ["System", "CommandSupport", "Commands"], path: "Sources/Programs/skan",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "skan-bench",
      dependencies: [
        "Values", "System", "OpenSSL", "Numerics", "Postbacks", "Mappings", "Verification", "Ledger",
        "Simulation", "EventFiles", "MappingDesign", "MappingTrial", "Tables", "Estimates", "Reporting",
        "SkanMapping",
      ], path: "Sources/Programs/skan-bench", swiftSettings: strict),
    .executableTarget(
      name: "skan-floor", dependencies: ["Values", "System", "SQLite", "HTTPServer"],
      path: "Sources/Programs/skan-floor", swiftSettings: strict),
    .executableTarget(
      name: "skan-sample-app",
      dependencies: ["Values", "System", "Gzip", "Mappings", "EventFiles", "SkanMapping"],
      path: "Sources/Programs/skan-sample-app", swiftSettings: strict),

    // Tests.
    .target(name: "TestSupport", dependencies: ["Values", "System"], path: "Tests/TestSupport"),
    .target(
      name: "FuzzLaws",
      dependencies: [
        "Values", "JSONText", "CSVText", "Arguments", "Tables", "System", "OpenSSL", "Postbacks", "Mappings",
        "MappingFormats", "NetworkForms", "Verification", "Ledger", "Intake", "Simulation", "EventFiles",
        "Reporting", "Pages", "Daemon", "SimulationCommands", "PropertyLists", "AppSetup", "SkanMapping",
      ], path: "Tests/FuzzLaws",
      swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]),
    // A disk that fails and loses its power when a test wants it to.
    .target(name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tests/CFaultVFS"),
    tests(
      "AlertsTests",
      needs: ["Values", "JSONText", "Numerics", "Postbacks", "Ledger", "Estimates", "Alerts"]),
    tests("AppSetupTests", needs: ["AppSetup"]),
    tests("ArgumentsTests", needs: ["Values", "Arguments"], data: ["Golden"]),
    tests("CSVTextTests", needs: ["Values", "CSVText", "System"]),
    tests(
      "CommandsTests",
      needs: [
        "Values", "JSONText", "Arguments", "Tables", "System", "SQLite", "OpenSSL", "Gzip", "HTTPServer",
        "HTTPClient", "Postbacks", "Mappings", "MappingFormats", "Verification", "Ledger", "Intake",
        "Reporting",
        "Alerts", "Routing", "ReadRoutes", "ReadResources", "Service", "CommandSupport", "ReportCommands",
        "Commands",
      ], data: ["Golden", "Scenarios"]),
    tests(
      "DaemonTests",
      needs: [
        "Values", "JSONText", "System", "OpenSSL", "HTTPServer", "HTTPClient", "Postbacks", "Verification",
        "Ledger", "Signing", "Intake", "Alerts", "Webhooks", "Relays", "Routing", "Service", "Daemon",
      ]),
    tests(
      "EndToEndTests",
      needs: [
        "skan", "Values", "JSONText", "System", "SQLite", "OpenSSL", "Gzip", "Verification", "Signing",
      ]),
    tests(
      "EstimatesTests", needs: ["Values", "System", "Numerics", "Mappings", "Estimates"], data: ["Vectors"]),
    tests(
      "ExportTests",
      needs: [
        "Values", "JSONText", "Tables", "System", "OpenSSL", "Gzip", "Postbacks", "Verification", "Ledger",
        "Reporting", "Export",
      ]),
    tests(
      "EventFilesTests",
      needs: ["Values", "CSVText", "System", "Mappings", "Simulation", "EventFiles", "FuzzLaws"]),
    tests("FuzzTests", needs: ["System", "FuzzLaws"]),
    tests("GzipTests", needs: ["Values", "Gzip"]),
    tests("HTTPClientTests", needs: ["Values", "System", "HTTPServer", "HTTPClient"]),
    tests("HTTPServerTests", needs: ["Values", "System", "HTTPServer"]),
    tests("IntakeTests", needs: ["Values", "System", "Ledger", "Intake"]),
    tests("JSONTextTests", needs: ["Values", "JSONText"]),
    tests(
      "LedgerTests",
      needs: ["Values", "System", "SQLite", "OpenSSL", "Postbacks", "Verification", "Ledger", "CFaultVFS"]),
    tests(
      "MappingDesignTests",
      needs: [
        "Values", "JSONText", "System", "Gzip", "Postbacks", "Mappings", "Simulation", "EventFiles",
        "MappingDesign",
      ], data: ["Vectors"]),
    tests(
      "MappingDraftsTests",
      needs: [
        "Values", "JSONText", "System", "Postbacks", "Mappings", "MappingFormats", "Ledger",
        "MappingLibrary", "MappingDrafts",
      ]),
    tests(
      "MappingTrialTests",
      needs: [
        "Values", "JSONText", "System", "Gzip", "Postbacks", "Mappings", "Simulation", "EventFiles",
        "MappingDesign", "MappingTrial",
      ]),
    tests("MappingLibraryTests", needs: ["Values", "Ledger", "MappingLibrary"]),
    tests(
      "MappingsTests", needs: ["Values", "JSONText", "System", "Postbacks", "Mappings", "MappingFormats"],
      data: ["Vectors"]),
    tests(
      "NetworkFormsTests",
      needs: ["Values", "JSONText", "Postbacks", "NetworkForms", "Verification", "Signing", "FuzzLaws"]),
    tests("NumericsTests", needs: ["Values", "System", "Numerics"]),
    tests("OpenSSLTests", needs: ["Values", "JSONText", "OpenSSL"]),
    tests(
      "PagesTests",
      needs: [
        "Values", "JSONText", "Markup", "Tables", "System", "OpenSSL", "HTTPServer", "Postbacks", "Mappings",
        "Verification", "Ledger", "MappingLibrary", "Routing", "PageAccess", "Pages", "Screens",
        "MappingScreens", "SiteScreens",
      ]),
    tests("PostbacksTests", needs: ["Values", "JSONText", "Postbacks"]),
    tests(
      "RelaysTests",
      needs: [
        "Values", "JSONText", "System", "HTTPClient", "Postbacks", "Verification", "Ledger", "Webhooks",
        "Relays",
      ]),
    tests(
      "ReportingTests",
      needs: [
        "Values", "JSONText", "Arguments", "Tables", "Postbacks", "Mappings", "MappingFormats",
        "Verification", "Ledger", "Intake",
        "MappingLibrary", "Estimates", "Reporting", "Explanations",
      ], data: ["Golden"]),
    tests(
      "ServiceTests",
      needs: [
        "Values", "JSONText", "Arguments", "Tables", "System", "SQLite", "OpenSSL", "HTTPServer",
        "Verification",
        "Ledger", "Intake", "Reporting", "Alerts", "Routing", "PostbackRoutes", "ReadRoutes",
        "ReadResources", "Service",
      ]),
    tests(
      "SimulationReportsTests",
      needs: ["Values", "Tables", "Markup", "System", "Mappings", "Simulation", "SimulationReports"],
      data: ["Golden"]),
    tests(
      "SimulationTests", needs: ["Values", "Postbacks", "Mappings", "MappingFormats", "Simulation"],
      data: ["Vectors"]),
    tests(
      "SkanMappingTests",
      needs: [
        "Values", "JSONText", "System", "Postbacks", "Mappings", "Verification", "Simulation", "EventFiles",
        "Signing", "SkanMapping", "skan-sample-app",
      ]),
    tests("SystemTests", needs: ["Values", "System"]),
    tests("TablesTests", needs: ["Values", "JSONText", "Tables", "Arguments"]),
    tests(
      "UserWorthTests",
      needs: ["Values", "Postbacks", "Mappings", "Ledger", "Simulation", "MappingLibrary", "UserWorth"]),
    tests("ValuesTests", needs: ["Values"]),
    tests(
      "VerificationTests", needs: ["Values", "JSONText", "OpenSSL", "Postbacks", "Verification", "Signing"],
      data: ["Vectors"]),
    tests("WebhooksTests", needs: ["Values", "JSONText", "OpenSSL", "Ledger", "Webhooks"]),
  ] + fuzzing,
  swiftLanguageModes: [.v6])
