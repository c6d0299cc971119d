// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Every target: Swift 6 language mode, warnings are errors, imports are visible where they are used.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    // The rooms are small targets that lend each other bytes through `some Collection<UInt8>`; without this flag no
    // such call is specialised across them, which costs a tenth of a verification. SwiftPM has no safe name for it.
    .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
]

func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil, resources: [Resource] = []
) -> Target {
    .target(name: name, dependencies: dependencies, path: path, resources: resources, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(name)",
        exclude: FileManager.default.fileExists(atPath: "Tests/\(name)/Fixtures") ? ["Fixtures"] : [],
        swiftSettings: settings)
}

let systemLibraries: [Target] = [
    .systemLibrary(
        name: "COpenSSL", path: "Sources/COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
        name: "CSQLite", path: "Sources/CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
        name: "CMicrohttpd", path: "Sources/CMicrohttpd", pkgConfig: "libmicrohttpd",
        providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(
        name: "CCurl", path: "Sources/CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CTLS", path: "Sources/CTLS", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
]

let core: [Target] = [
    library("VerificationCore"),
    library("CBOR"),
    library("JSONTree"),
]

let verification: [Target] = [
    library("Cryptography", ["COpenSSL"]),
    library("COSE", ["CBOR", "Cryptography"]),
    library("HPKE", ["Cryptography"]),
    library("Trust", ["VerificationCore", "Cryptography", "COpenSSL"]),
    library("Mdoc", ["VerificationCore", "CBOR", "Cryptography", "COSE", "HPKE", "Trust"]),
]

let gateway: [Target] = [
    library("Ledger", ["VerificationCore", "CBOR", "Cryptography"]),
    library("Billing", ["VerificationCore", "JSONTree"]),
    library("Usage", ["VerificationCore", "Billing", "Cryptography", "JSONTree"]),
    library("WebhookSignatures", ["VerificationCore", "Cryptography"]),
    library("SystemThreads"),
    library("MemoryStore", ["VerificationCore", "Ledger"]),
    library("SQLiteStore", ["VerificationCore", "Ledger", "JSONTree", "Cryptography", "SystemThreads", "CSQLite"]),
    library(
        "Configuration",
        ["VerificationCore", "JSONTree", "Cryptography", "Routing", "WebhookSignatures", "Billing"]),
    library("Routing", ["VerificationCore", "Cryptography"]),
    library("HTTPServer", ["SystemThreads", "CMicrohttpd"]),
    library("HTTPClient", ["VerificationCore", "SystemThreads", "CCurl"]),
    library(
        "Gateway",
        [
            "VerificationCore", "CBOR", "JSONTree", "HTTPServer", "Cryptography", "Routing", "WebhookSignatures",
            "Billing", "Usage", "Ledger",
        ],
        resources: ["style.css", "console.js", "icon.svg"].map { .embedInCode("Console/Assets/" + $0) }),
]

let providers: [Target] = [
    .target(
        name: "InHouse",
        dependencies: [
            "VerificationCore", "Configuration", "JSONTree", "Cryptography", "Trust", "Mdoc", "HTTPClient",
        ],
        path: "Providers/InHouse", exclude: ["README.md"], swiftSettings: settings),
    .target(
        name: "Certified",
        dependencies: [
            "VerificationCore", "Configuration", "JSONTree", "Cryptography", "Trust", "HTTPClient",
            "WebhookSignatures", "Billing",
        ],
        path: "Providers/Certified", exclude: ["README.md"], swiftSettings: settings),
]

let executables: [Target] = [
    .executableTarget(
        name: "sekisho",
        dependencies: [
            "VerificationCore", "Ledger", "MemoryStore", "SQLiteStore", "JSONTree", "Configuration", "HTTPServer",
            "Certified", "HTTPClient", "Gateway", "InHouse", "Mdoc", "Routing", "Trust", "Cryptography",
            "WebhookSignatures", "Billing", "Usage",
        ],
        resources: [.embedInCode("Resources/openapi.json")],
        swiftSettings: settings),
    library("WalletKit", ["CBOR", "COpenSSL"]),
    .executableTarget(
        name: "sekisho-bench",
        dependencies: ["Mdoc", "Trust", "Cryptography", "VerificationCore", "CBOR", "COpenSSL", "WalletKit"],
        path: "Tests/Benchmark", swiftSettings: settings),
    .executableTarget(
        name: "sekisho-overhead",
        dependencies: ["HTTPClient", "JSONTree", "SandboxKit", "VerificationCore", "WalletKit"],
        path: "Tests/OverheadBenchmark", swiftSettings: settings),
    .executableTarget(name: "sekisho-wallet", dependencies: ["WalletKit", "JSONTree"], swiftSettings: settings),
    library("SandboxKit", ["VerificationCore", "Cryptography", "Trust", "Mdoc", "JSONTree", "WalletKit", "CTLS"]),
    .executableTarget(name: "sekisho-sandbox", dependencies: ["SandboxKit"], swiftSettings: settings),
]

let testTargets: [Target] = [
    library("TestSupport", path: "Tests/TestSupport"),
    tests(
        "EndToEndTests",
        [
            "RawHTTP", "HTTPServer", "VerificationCore", "WebhookSignatures", "WalletKit", "TestSupport", "sekisho",
            "sekisho-wallet", "sekisho-sandbox", "month-maker",
        ]),
    tests(
        "SandboxTests",
        [
            "SandboxKit", "Certified", "Configuration", "HTTPClient", "WalletKit", "VerificationCore", "Cryptography",
            "JSONTree", "CTLS", "VerifierConformance", "TestSupport",
        ]),
    tests("FuzzInputTests", ["Billing", "CBOR", "Certified", "HTTPClient", "JSONTree", "Mdoc", "VerificationCore"]),
    tests(
        "GatewayTests",
        [
            "Gateway", "Ledger", "Routing", "VerificationCore", "MemoryStore", "HTTPServer", "Cryptography",
            "WebhookSignatures", "Billing", "Usage", "JSONTree", "TestSupport",
        ]),
    .executableTarget(
        name: "console-rig",
        dependencies: [
            "Gateway", "Routing", "VerificationCore", "MemoryStore", "HTTPServer", "Cryptography", "Billing",
            "JSONTree",
        ],
        path: "Tests/ConsoleRig", swiftSettings: settings),
    library("RawHTTP", path: "Tests/RawHTTP"),
    tests("HTTPServerTests", ["HTTPServer", "RawHTTP", "TestSupport"]),
    tests("HTTPClientTests", ["HTTPClient", "VerificationCore", "COpenSSL", "CTLS", "TestSupport", "client-probe"]),
    .executableTarget(
        name: "client-probe", dependencies: ["HTTPClient"], path: "Tests/ClientProbe", swiftSettings: settings),
    tests("TrustTests", ["Trust", "VerificationCore", "Cryptography", "COpenSSL", "TestSupport"]),
    tests("VerificationCoreTests", ["VerificationCore"]),
    tests("WalletConformanceTests", ["WalletKit", "Mdoc", "Trust", "Cryptography", "VerificationCore"]),
    tests("WalletKitTests", ["WalletKit", "CBOR", "TestSupport", "sekisho-wallet"]),
    tests(
        "MdocTests",
        ["Mdoc", "VerificationCore", "CBOR", "COSE", "Cryptography", "Trust", "WalletKit", "TestSupport"]),
    tests(
        "InHouseTests",
        [
            "InHouse", "Configuration", "JSONTree", "Mdoc", "VerificationCore", "Cryptography", "Trust", "WalletKit",
            "HTTPClient", "HTTPServer", "VerifierConformance",
        ]),
    tests(
        "CertifiedTests",
        [
            "Certified", "Configuration", "JSONTree", "VerificationCore", "Cryptography", "HTTPClient",
            "WebhookSignatures",
        ]),
    tests(
        "CommandTests",
        [
            "sekisho", "VerificationCore", "Configuration", "Gateway", "JSONTree", "SQLiteStore", "CSQLite",
            "WalletKit",
        ]),
    tests("VerifyCommandTests", ["sekisho", "VerificationCore", "TestSupport"]),
    library("VerifierConformance", ["VerificationCore"], path: "Tests/VerifierConformance"),
    library("ConformanceKit", ["VerificationCore", "Ledger"], path: "Tests/ConformanceKit"),
    tests(
        "StoreTests",
        ["ConformanceKit", "MemoryStore", "SQLiteStore", "VerificationCore", "Ledger", "TestSupport", "store-crasher"]),
    .executableTarget(
        name: "store-crasher", dependencies: ["SQLiteStore", "VerificationCore", "ConformanceKit"],
        path: "Tests/StoreCrasher", swiftSettings: settings),
    tests("BillingTests", ["Billing", "VerificationCore", "JSONTree"]),
    tests(
        "UsageTests",
        [
            "Usage", "Billing", "VerificationCore", "JSONTree", "Ledger", "MemoryStore", "SQLiteStore",
            "Cryptography", "MonthKit", "usage-probe",
        ]),
    library("MonthKit", ["VerificationCore"], path: "Tests/MonthKit"),
    .executableTarget(
        name: "month-maker", dependencies: ["MonthKit", "SQLiteStore", "VerificationCore"], path: "Tests/MonthMaker",
        swiftSettings: settings),
    .executableTarget(
        name: "usage-probe", dependencies: ["Billing", "VerificationCore"], path: "Tests/UsageProbe",
        swiftSettings: settings),
    tests("LedgerTests", ["Ledger", "VerificationCore", "ConformanceKit"]),
    tests("JSONTreeTests", ["JSONTree"]),
    tests("RoutingTests", ["Routing", "VerificationCore", "JSONTree"]),
    tests("ConfigurationTests", ["Configuration", "JSONTree", "Routing", "VerificationCore", "Cryptography"]),
    tests("CryptographyTests", ["Cryptography", "VerificationCore", "COpenSSL", "TestSupport"]),
    tests("WebhookSignaturesTests", ["WebhookSignatures", "VerificationCore"]),
    tests("HPKETests", ["HPKE", "Cryptography", "TestSupport"]),
    tests("CBORTests", ["CBOR", "TestSupport"]),
    tests("COSETests", ["COSE", "CBOR", "Cryptography", "TestSupport"]),
]

let targets = systemLibraries + core + verification + gateway + providers + executables + testTargets

/// The targets named in `SEKISHO_TARGETS` (with commas between) and what they stand on; all of them without it. A small
/// machine builds one room's tests in a fraction of the time that the whole package takes.
func selected(_ targets: [Target]) -> [Target] {
    guard let text = Context.environment["SEKISHO_TARGETS"] else { return targets }
    var names = Set(text.split(separator: ",").map(String.init))
    var open = Array(names)
    while let name = open.popLast() {
        for dependency in targets.first(where: { $0.name == name })?.dependencies ?? [] {
            if case .byNameItem(let name, _) = dependency, names.insert(name).inserted { open.append(name) }
        }
    }
    return targets.filter { names.contains($0.name) }
}

let package = Package(
    name: "sekisho",
    products: selected(targets).filter { ["sekisho", "sekisho-wallet", "sekisho-sandbox"].contains($0.name) }
        .map { .executable(name: $0.name, targets: [$0.name]) },
    targets: selected(targets))
