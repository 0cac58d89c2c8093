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

/// Modules that the release compiles without the optimiser of Swift's own intermediate code.
///
/// No loop over data is in them, which `tools/measure/bench pages` and the commands that use them show; LLVM still optimises them.
let cold: Set = [
  "MappingFormats", "Imports", "Pulls", "Alerts", "Assistants", "Health", "Delivery", "SampleData",
  "Configuration",
  "Screens", "Service", "Daemon", "Commands", "Serving",
]
let unoptimised: [SwiftSetting] = [
  .unsafeFlags(["-Xfrontend", "-disable-sil-perf-optzns"], .when(configuration: .release))
]

/// A Swift module under the shared settings; `folder` is its floor.
///
/// Files that are no Swift are embedded as constants.
func module(
  _ name: String, in folder: String, needs dependencies: [Target.Dependency] = [], embedsFiles: Bool = false,
  beside others: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)", exclude: others,
    swiftSettings: strict + (cold.contains(name) ? unoptimised : []),
    plugins: embedsFiles ? ["GenerateSources"] : [])
}

/// A program beside the product; its sources are with the tools that use it.
func tool(_ name: String, in folder: String, needs dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "tools/\(folder)/\(name)", swiftSettings: strict)
}

/// A C library of Debian.
func library(_ name: String, _ pkgConfig: String? = nil, _ debian: String? = nil) -> Target {
  .systemLibrary(
    name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: debian.map { [.apt([$0])] })
}

/// Tests run once, so that to optimise them costs more than it gives; `tools/test` builds them with the release.
///
/// A fuzzer runs the laws for hours, and so its build optimises them.
let asWritten: [SwiftSetting] =
  Context.environment["SKAN_FUZZ"] == nil
  ? [.unsafeFlags(["-Onone"], .when(configuration: .release))] : []

/// The tests of one module; `Vectors` and `Golden` hold data and are read from the source tree.
func tests(_ name: String, needs dependencies: [Target.Dependency], data: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], exclude: data,
    swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)] + asWritten)
}

/// What `tools/stress/fuzz` builds: a driver that needs libFuzzer, which no ordinary build does.
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
    .library(name: "SkanApp", targets: ["SkanApp"]),
  ],
  targets: [
    // C: libraries from Debian.
    library("CSQLite", "sqlite3", "libsqlite3-dev"),
    library("COpenSSL", "libcrypto", "libssl-dev"),
    library("CMicroHTTPD", "libmicrohttpd", "libmicrohttpd-dev"),
    library("CGnuTLS", "gnutls", "libgnutls28-dev"),
    library("CZlib", "zlib", "zlib1g-dev"),
    library("CGMP", "gmp", "libgmp-dev"),
    library("CMalloc"),
    library("CCurl", "libcurl", "libcurl4-openssl-dev"),
    library("CPostgreSQL", "libpq", "libpq-dev"),
    library("CZstd", "libzstd", "libzstd-dev"),
    // Boost's headers of mathematics, in one file of C++ that looks like C from outside.
    .target(name: "CBoost", path: "Sources/C/CBoost"),

    // Values: pure Swift: no input or output, no clock, no C.
    module("Values", in: "Values"),
    module("JSONText", in: "Values", needs: ["Values"]),
    module("CSVText", in: "Values", needs: ["Values"]),
    module("Arguments", in: "Values", needs: ["Values"]),
    module("Tables", in: "Values", needs: ["Values", "JSONText", "CSVText", "Arguments"]),
    module("Markup", in: "Values", needs: ["Values"], embedsFiles: true),

    // Edges: the only modules that touch C or hold unsafe code.
    module("System", in: "Edges", needs: ["CMalloc", "Values"]),
    module("SQLite", in: "Edges", needs: ["CSQLite", "System"]),
    module("PostgreSQL", in: "Edges", needs: ["CPostgreSQL"]),
    module("OpenSSL", in: "Edges", needs: ["COpenSSL", "CGMP", "Values", "System"]),
    module("Gzip", in: "Edges", needs: ["CZlib", "Values"]),
    module("Zstd", in: "Edges", needs: ["CZstd"]),
    module("HTTPServer", in: "Edges", needs: ["CMicroHTTPD", "CGnuTLS", "Values", "System"]),
    module("HTTPClient", in: "Edges", needs: ["CCurl"]),
    module("PropertyLists", in: "Edges"),
    module("Numerics", in: "Edges", needs: ["CBoost", "Values"]),

    // Domain: what Apple sends and what values mean.
    module("Postbacks", in: "Domain", needs: ["Values", "JSONText"]),
    module("Mappings", in: "Domain", needs: ["Values", "JSONText", "Postbacks"]),
    module(
      "MappingFormats", in: "Domain", needs: ["Values", "JSONText", "CSVText", "Postbacks", "Mappings"]),
    module("NetworkForms", in: "Domain", needs: ["Values", "JSONText", "Postbacks"]),

    // App: what runs inside an app; needs nothing else, and nothing of the server needs it.
    module("SkanMapping", in: "App"),
    module("SkanApp", in: "App", needs: ["SkanMapping"]),

    // Receiving: bytes are judged, stored and counted.
    module("Verification", in: "Receiving", needs: ["Values", "JSONText", "OpenSSL", "Postbacks"]),
    module(
      "Journal", in: "Receiving",
      needs: ["Values", "Arguments", "System", "PostgreSQL", "OpenSSL", "Zstd"], embedsFiles: true),
    module(
      "Ledger", in: "Receiving",
      needs: [
        "Values", "JSONText", "System", "SQLite", "OpenSSL", "Gzip", "Postbacks", "Verification", "Journal",
      ], embedsFiles: true),
    module(
      "Intake", in: "Receiving",
      needs: [
        "Values", "JSONText", "CSVText", "System", "OpenSSL", "Postbacks", "NetworkForms", "Verification",
        "Ledger",
      ], embedsFiles: true),

    // Simulation: users are replayed through Apple's rules.
    module("Simulation", in: "Simulation", needs: ["Values", "System", "Postbacks", "Mappings"]),
    module(
      "EventFiles", in: "Simulation",
      needs: ["Values", "JSONText", "CSVText", "System", "Gzip", "Postbacks", "Mappings", "Simulation"],
      embedsFiles: true),
    module(
      "Signing", in: "Simulation",
      needs: ["Values", "JSONText", "OpenSSL", "Postbacks", "Verification", "Simulation"]),
    module(
      "MappingDesign", in: "Simulation", needs: ["Values", "System", "Postbacks", "Mappings", "Simulation"]),

    // Reporting: what is stored is decoded, estimated, watched and passed on.
    module(
      "MappingLibrary", in: "Reporting",
      needs: [
        "Values", "JSONText", "Arguments", "System", "OpenSSL", "Postbacks", "Mappings", "Ledger",
      ]),
    module(
      "MappingEditing", in: "Reporting",
      needs: [
        "Values", "JSONText", "System", "Postbacks", "Mappings", "MappingFormats", "Ledger", "Simulation",
        "EventFiles", "MappingDesign", "MappingLibrary",
      ], embedsFiles: true),
    module(
      "Estimates", in: "Reporting",
      needs: ["Values", "System", "Numerics", "Postbacks", "Mappings"]),
    module(
      "Campaigns", in: "Reporting",
      needs: [
        "Values", "Arguments", "Tables", "System", "Postbacks", "Mappings", "NetworkForms", "Ledger",
        "MappingLibrary",
      ],
      embedsFiles: true),
    module(
      "MeasuredUsers", in: "Reporting",
      needs: [
        "Values", "OpenSSL", "Postbacks", "Mappings", "Ledger", "Intake", "Simulation", "EventFiles",
        "MappingLibrary", "Estimates",
      ]),
    module(
      "EstimateReports", in: "Reporting",
      needs: [
        "Values", "JSONText", "Arguments", "Tables", "System", "Postbacks", "Mappings", "Ledger",
        "MappingLibrary", "Estimates", "Campaigns", "MeasuredUsers",
      ], embedsFiles: true),
    module(
      "Imports", in: "Reporting",
      needs: [
        "Values", "CSVText", "Arguments", "Tables", "Postbacks", "Mappings", "Ledger", "Intake", "EventFiles",
        "MappingEditing", "Campaigns", "MeasuredUsers",
      ]),
    module(
      "SimulationReports", in: "Reporting",
      needs: ["Values", "JSONText", "Tables", "Markup", "Postbacks", "Mappings", "Simulation"]),
    module(
      "Explanations", in: "Reporting",
      needs: [
        "Values", "JSONText", "Arguments", "Tables", "System", "OpenSSL", "Gzip", "Postbacks", "Mappings",
        "Verification", "Ledger", "MappingLibrary", "Campaigns",
      ]),
    module(
      "Reports", in: "Reporting",
      needs: [
        "Values", "JSONText", "Arguments", "Tables", "Markup", "Postbacks", "Mappings", "Ledger",
        "MappingLibrary", "Estimates", "Campaigns", "EstimateReports", "Imports", "Explanations",
      ]),
    module(
      "Pulls", in: "Reporting",
      needs: [
        "Values", "JSONText", "Arguments", "Tables", "System", "HTTPClient", "Postbacks", "Verification",
        "Ledger", "Intake", "Campaigns", "Imports",
      ]),
    module(
      "Alerts", in: "Reporting",
      needs: [
        "Values", "JSONText", "Arguments", "Tables", "Postbacks", "Ledger", "MappingLibrary", "Estimates",
        "Campaigns", "EstimateReports",
      ]),
    module(
      "Health", in: "Reporting",
      needs: [
        "Values", "JSONText", "System", "HTTPServer", "HTTPClient", "PropertyLists", "Postbacks",
        "Mappings", "Verification", "Ledger", "MappingLibrary",
      ]),
    module(
      "Delivery", in: "Reporting",
      needs: [
        "Values", "JSONText", "System", "OpenSSL", "HTTPClient", "Postbacks", "Mappings", "Ledger",
        "Explanations", "Reports",
      ]),
    module(
      "Assistants", in: "Reporting",
      needs: [
        "Values", "JSONText", "Arguments", "Tables", "Postbacks", "Verification", "Ledger", "Estimates",
        "Campaigns", "EstimateReports", "Explanations", "Reports", "Alerts",
      ]),
    module(
      "SampleData", in: "Reporting",
      needs: [
        "Values", "System", "Postbacks", "Mappings", "Verification", "Ledger", "Intake", "Simulation",
        "Signing", "MappingLibrary", "Imports",
      ]),

    // Web: requests and answers.
    module(
      "Routing", in: "Web",
      needs: [
        "Values", "JSONText", "System", "OpenSSL", "Gzip", "HTTPServer", "Postbacks", "NetworkForms",
        "Ledger",
      ]),
    module(
      "Pages", in: "Web",
      needs: [
        "Values", "Arguments", "Tables", "Markup", "System", "OpenSSL", "HTTPServer", "Postbacks",
        "Verification", "Ledger", "MappingEditing", "Campaigns", "Routing",
      ], embedsFiles: true, beside: ["Text"]),
    module(
      "Screens", in: "Web",
      needs: [
        "Values", "JSONText", "Arguments", "Tables", "Markup", "System", "Postbacks", "Mappings",
        "MappingFormats", "Ledger", "Intake", "Simulation", "EventFiles", "MappingDesign", "MappingLibrary",
        "MappingEditing", "Estimates", "Campaigns", "EstimateReports", "Imports", "Explanations", "Reports",
        "Health", "SampleData", "Routing", "Pages",
      ]),
    module(
      "Configuration", in: "Web",
      needs: [
        "Values", "JSONText", "Arguments", "System", "OpenSSL", "HTTPServer", "Postbacks", "Journal",
        "Ledger", "Pulls", "Alerts", "Delivery", "Routing", "Pages",
      ]),
    module(
      "Service", in: "Web",
      needs: [
        "Values", "JSONText", "Arguments", "Tables", "System", "HTTPServer", "Postbacks", "Verification",
        "Ledger", "Intake", "MappingLibrary", "Campaigns", "Explanations", "Reports", "Pulls", "Alerts",
        "Assistants", "Routing", "Pages", "Screens", "Configuration",
      ]),

    // Programs: what people start.
    module(
      "Commands", in: "Programs",
      needs: [
        "Values", "JSONText", "Arguments", "Tables", "System", "OpenSSL", "Gzip", "Postbacks", "Mappings",
        "MappingFormats", "NetworkForms", "Verification", "Journal", "Ledger", "Intake", "Simulation",
        "EventFiles", "Signing", "MappingDesign", "MappingLibrary", "MappingEditing", "Estimates",
        "Campaigns", "EstimateReports", "MeasuredUsers", "Imports", "SimulationReports", "Explanations",
        "Reports", "Pulls", "Alerts", "Health", "Delivery", "Assistants", "Routing", "Pages", "Configuration",
      ], embedsFiles: true),
    module(
      "Daemon", in: "Programs",
      needs: [
        "Values", "JSONText", "Arguments", "System", "OpenSSL", "HTTPServer", "Postbacks", "Verification",
        "Journal", "Ledger", "Intake", "MappingLibrary", "Campaigns", "EstimateReports", "Reports", "Pulls",
        "Alerts", "Delivery", "Assistants", "Routing", "Pages", "Configuration", "Service",
      ]),
    module(
      "Serving", in: "Programs",
      needs: [
        "Values", "Arguments", "System", "Ledger", "SampleData", "Routing", "Configuration", "Daemon",
        "Commands",
      ]),
    .executableTarget(
      name: "skan", dependencies: ["System", "Commands", "Serving"], path: "Sources/Programs/skan",
      swiftSettings: strict
    ),

    .plugin(name: "GenerateSources", capability: .buildTool()),

    // Beside the product: measurements, and an app that uses the library.
    tool(
      "skan-bench", in: "measure",
      needs: [
        "Values", "Tables", "System", "OpenSSL", "Numerics", "Postbacks", "Mappings", "SkanMapping",
        "Verification", "Journal", "Ledger", "Simulation", "EventFiles", "MappingDesign", "MappingEditing",
        "Estimates", "Campaigns", "EstimateReports", "JSONText", "Imports", "SampleData",
      ]),
    // The service with its faults, from one seed.
    .target(name: "CVirtualTime", dependencies: ["COpenSSL"], path: "tools/simulator/CVirtualTime"),
    tool(
      "skan-simulator", in: "simulator",
      needs: [
        "CFaultVFS", "CVirtualTime", "Values", "JSONText", "Arguments", "Tables", "System", "SQLite",
        "OpenSSL", "HTTPClient", "Postbacks", "NetworkForms", "Verification", "Journal", "Ledger", "Intake",
        "Signing", "Campaigns", "EstimateReports", "Imports", "Reports", "Pulls", "Delivery",
        "Configuration", "Service", "Daemon", "Commands", "Serving",
      ]),
    tool("skan-floor", in: "measure", needs: ["Values", "System", "SQLite", "HTTPServer"]),
    tool(
      "skan-sample-app", in: "checks",
      needs: ["Values", "System", "Gzip", "Mappings", "SkanMapping", "EventFiles"]),

    // Tests.
    .target(
      name: "TestSupport", dependencies: ["Values", "System"], path: "Tests/TestSupport",
      swiftSettings: asWritten),
    .target(
      name: "PostbackFixtures", dependencies: ["Values", "Postbacks", "Mappings", "Verification", "Ledger"],
      path: "Tests/PostbackFixtures", swiftSettings: asWritten),
    .target(
      name: "FuzzLaws",
      dependencies: [
        "Values", "JSONText", "CSVText", "Arguments", "Tables", "System", "OpenSSL", "PropertyLists",
        "Postbacks", "Mappings", "MappingFormats", "NetworkForms", "SkanMapping", "Verification", "Journal",
        "Ledger", "Intake", "Simulation", "EventFiles", "Imports", "Pulls", "Alerts", "Health",
        "Assistants", "Pages", "Configuration", "Service", "Commands", "Reports",
      ], path: "Tests/FuzzLaws",
      swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)] + asWritten),
    // A disk that fails and loses its power when a test wants it to.
    .target(name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tests/CFaultVFS"),
    tests(
      "AlertsTests",
      needs: [
        "PostbackFixtures", "Values", "JSONText", "Numerics", "SQLite", "Postbacks", "Verification", "Ledger",
        "Estimates", "Campaigns", "Alerts", "Reports", "EstimateReports",
      ]),
    tests("ArgumentsTests", needs: ["Values", "Arguments"], data: ["Golden"]),
    tests(
      "AssistantsTests",
      needs: [
        "PostbackFixtures", "Values", "JSONText", "Arguments", "Tables", "Verification", "Ledger", "Alerts",
        "Assistants", "Campaigns", "Reports",
      ]),
    tests("CSVTextTests", needs: ["Values", "CSVText", "System"]),
    tests(
      "CommandsTests",
      needs: [
        "PostbackFixtures", "Values", "JSONText", "Arguments", "Tables", "System", "SQLite", "Gzip",
        "HTTPServer", "Postbacks", "Mappings", "MappingFormats", "Verification", "Ledger", "Intake",
        "Routing", "Service", "Commands", "Campaigns", "Reports", "Configuration", "Serving",
      ], data: ["Golden", "Scenarios"]),
    tests(
      "DaemonTests",
      needs: [
        "PostbackFixtures", "Values", "JSONText", "Arguments", "System", "SQLite", "OpenSSL", "HTTPServer",
        "HTTPClient", "Postbacks", "Verification", "Ledger", "Signing", "Pulls", "Campaigns",
        "EstimateReports", "Alerts", "Delivery", "Routing", "Service", "Daemon", "Configuration",
      ]),
    tests(
      "DeliveryTests",
      needs: [
        "PostbackFixtures",
        "Values", "JSONText", "System", "OpenSSL", "HTTPClient", "Postbacks", "Verification", "Ledger",
        "Delivery",
      ]),
    tests(
      "EndToEndTests",
      needs: [
        "skan", "Values", "JSONText", "System", "SQLite", "PostgreSQL", "OpenSSL", "Gzip", "HTTPServer",
        "Postbacks", "Verification", "Signing",
      ]),
    tests(
      "EstimatesTests", needs: ["Values", "System", "Numerics", "Postbacks", "Mappings", "Estimates"],
      data: ["Vectors"]),
    tests(
      "EventFilesTests",
      needs: ["Values", "CSVText", "System", "Mappings", "Simulation", "EventFiles", "FuzzLaws"]),
    tests("FuzzTests", needs: ["System", "FuzzLaws"]),
    tests("GzipTests", needs: ["Values", "Gzip"]),
    tests("HTTPClientTests", needs: ["Values", "System", "HTTPServer", "HTTPClient"]),
    tests("HTTPServerTests", needs: ["Values", "System", "HTTPServer"]),
    tests("HealthTests", needs: ["Health"]),
    tests("IntakeTests", needs: ["Values", "JSONText", "System", "Postbacks", "Ledger", "Intake"]),
    tests("JSONTextTests", needs: ["Values", "JSONText"]),
    tests("JournalTests", needs: ["Values", "System", "PostgreSQL", "Journal"]),
    tests(
      "LedgerTests",
      needs: [
        "PostbackFixtures", "Values", "System", "SQLite", "OpenSSL", "Postbacks", "Verification", "Journal",
        "Ledger",
        "CFaultVFS",
      ]),
    tests(
      "MappingDesignTests",
      needs: [
        "Values", "JSONText", "System", "Gzip", "Postbacks", "Mappings", "Simulation", "EventFiles",
        "MappingDesign",
      ], data: ["Vectors"]),
    tests(
      "MappingLibraryTests",
      needs: [
        "PostbackFixtures", "Values", "JSONText", "System", "Gzip", "Postbacks", "Mappings", "MappingFormats",
        "Ledger", "Simulation", "EventFiles", "MappingDesign", "MappingEditing", "MappingLibrary",
      ]),
    tests(
      "MappingsTests", needs: ["Values", "JSONText", "System", "Postbacks", "Mappings", "MappingFormats"],
      data: ["Vectors"]),
    tests(
      "NetworkFormsTests",
      needs: ["Values", "JSONText", "Postbacks", "NetworkForms", "Verification", "Signing", "FuzzLaws"]),
    tests("NumericsTests", needs: ["Values", "System", "Numerics"], data: ["Vectors"]),
    tests("OpenSSLTests", needs: ["Values", "JSONText", "OpenSSL"]),
    tests(
      "PagesTests",
      needs: [
        "PostbackFixtures", "Values", "JSONText", "Arguments", "Tables", "Markup", "System", "OpenSSL",
        "HTTPServer", "Postbacks", "Mappings", "MappingFormats", "Verification", "Journal", "Ledger",
        "SampleData", "Alerts", "Assistants", "Routing", "Pages", "Screens", "Campaigns", "EstimateReports",
        "Estimates",
        "Imports", "Intake", "Reports",
        "MappingEditing", "MappingLibrary",
      ]),
    tests("PostbacksTests", needs: ["Values", "JSONText", "Postbacks"]),
    tests(
      "PullsTests",
      needs: [
        "PostbackFixtures", "Values", "JSONText", "System", "HTTPServer", "Verification", "Ledger", "Pulls",
        "Reports",
      ]),
    tests("PostgreSQLTests", needs: ["System", "PostgreSQL"]),
    tests(
      "ReportingTests",
      needs: [
        "PostbackFixtures", "Values", "JSONText", "Arguments", "Tables", "Markup", "System", "Numerics",
        "OpenSSL", "Gzip", "Postbacks", "Mappings", "MappingFormats", "Verification", "Ledger", "Intake",
        "Simulation", "Estimates", "Campaigns", "MeasuredUsers", "EstimateReports", "Imports",
        "SimulationReports",
        "Explanations", "Reports", "MappingLibrary",
      ], data: ["Golden", "Simulations/Golden"]),
    tests(
      "ServiceTests",
      needs: [
        "PostbackFixtures", "Values", "JSONText", "Arguments", "Tables", "System", "SQLite", "OpenSSL",
        "HTTPServer", "Postbacks", "Verification", "Ledger", "Intake", "Alerts", "Routing", "Service",
        "Reports", "Configuration",
      ]),
    tests(
      "SimulationTests",
      needs: ["Values", "System", "Postbacks", "Mappings", "MappingFormats", "Simulation"], data: ["Vectors"]),
    tests("SkanAppTests", needs: ["SkanMapping", "SkanApp"]),
    tests(
      "SkanMappingTests",
      needs: [
        "Values", "JSONText", "System", "Postbacks", "Mappings", "SkanMapping", "Verification", "Simulation",
        "EventFiles", "Signing", "skan-sample-app",
      ]),
    tests("SystemTests", needs: ["Values", "System"]),
    tests("TablesTests", needs: ["Values", "JSONText", "Arguments", "Tables"]),
    tests("ValuesTests", needs: ["Values"]),
    tests(
      "VerificationTests", needs: ["Values", "JSONText", "OpenSSL", "Postbacks", "Verification", "Signing"],
      data: ["Vectors"]),
  ] + fuzzing,
  swiftLanguageModes: [.v6], cxxLanguageStandard: .cxx17)

#if !os(Linux)
  // On a Mac nothing but the libraries for apps builds, and an app that names this repository is not asked for libraries of
  // Debian. Sources/App is the same as a package of its own, for older compilers.
  let forApps: Set = ["SkanMapping", "SkanApp"]
  package.products.removeAll { !forApps.contains($0.name) }
  package.targets.removeAll { !forApps.contains($0.name) }
  package.platforms = [
    .iOS(.v13), .macCatalyst(.v13), .macOS(.v10_15), .tvOS(.v13), .watchOS(.v6), .visionOS(.v1),
  ]
#endif
