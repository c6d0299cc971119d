import Foundation
import Trust
import VerificationCore

/// The arguments of `sekisho verify`.
struct VerifyArguments {
    /// What is to be judged.
    enum Input {
        case envelope(file: String, nonce: Nonce, identity: WalletIdentity)
        case deviceResponse(file: String, transcript: String)
    }

    let input: Input
    let keys: [String]
    let trust: [String]
    let at: Timestamp?
    let documentType: String?
    let profile: CertificateProfile
    let asJSON: Bool

    static let usage = """
        usage: sekisho verify --envelope FILE --nonce NONCE --merchant-id ID --team-id ID --key FILE --trust PATH
               sekisho verify --device-response FILE --transcript FILE --trust PATH

        Judges one answer of a wallet, offline. Exit status: 0 verified, 1 rejected, 2 could not tell.

          --envelope FILE         the wallet's answer: raw, hexadecimal or base64url
          --nonce NONCE           the session's nonce: hexadecimal or base64url
          --merchant-id ID        the merchant identifier that the wallet was asked with
          --team-id ID            the team identifier of the app
          --key FILE              a private key that wallets seal to, PEM or DER; repeatable
          --device-response FILE  a DeviceResponse that is already decrypted; the checks of the envelope are not made
          --transcript FILE       its SessionTranscript
          --trust PATH            trust anchors, a file or a folder, PEM or DER; repeatable
          --at TIME               judge at this time (RFC 3339) and not now
          --document-type TYPE    the document type that was asked for
          --profile PROFILE       certificate profile: basic (default) or iso18013-5
          --json                  print JSON

        """

    private static let single: Set<String> = [
        "--envelope", "--nonce", "--merchant-id", "--team-id", "--device-response", "--transcript", "--at",
        "--document-type", "--profile",
    ]
    private static let repeatable: Set<String> = ["--key", "--trust"]
    private static let json = "--json"

    init(_ arguments: [String]) throws(VerifyProblem) {
        let options = try VerifyArguments.options(arguments)
        input = try VerifyArguments.input(options)
        keys = options["--key"] ?? []
        trust = options["--trust"] ?? []
        documentType = options["--document-type"]?.first
        asJSON = options[VerifyArguments.json] != nil
        at = try VerifyArguments.time(options["--at"]?.first)
        profile = try VerifyArguments.profile(options["--profile"]?.first)
        if trust.isEmpty { throw VerifyProblem("--trust is missing: without an anchor nothing can be verified") }
    }

    private static func options(_ arguments: [String]) throws(VerifyProblem) -> [String: [String]] {
        var options: [String: [String]] = [:]
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            if argument == json {
                options[json] = []
                continue
            }
            guard single.contains(name) || repeatable.contains(name) else {
                throw VerifyProblem("unknown argument \(name); see --help")
            }
            guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                throw VerifyProblem("\(name) needs a value")
            }
            if single.contains(name), options[name] != nil { throw VerifyProblem("\(name) is given twice") }
            options[name, default: []].append(value)
        }
        return options
    }

    private static func input(_ options: [String: [String]]) throws(VerifyProblem) -> Input {
        func value(_ name: String) throws(VerifyProblem) -> String {
            guard let value = options[name]?.first else { throw VerifyProblem("\(name) is missing; see --help") }
            return value
        }
        switch (options["--envelope"]?.first, options["--device-response"]?.first) {
        case (let file?, nil):
            guard options["--transcript"] == nil else {
                throw VerifyProblem(
                    "--transcript goes with --device-response; an envelope's is built from our own nonce")
            }
            guard options["--key"] != nil else { throw VerifyProblem("--key is missing; see --help") }
            let identity = WalletIdentity(
                merchantIdentifier: try value("--merchant-id"), teamIdentifier: try value("--team-id"))
            return .envelope(file: file, nonce: try nonce(value("--nonce")), identity: identity)
        case (nil, let file?):
            for name in ["--nonce", "--merchant-id", "--team-id", "--key"] where options[name] != nil {
                throw VerifyProblem("\(name) goes with --envelope")
            }
            return .deviceResponse(file: file, transcript: try value("--transcript"))
        case (nil, nil), (.some, .some):
            throw VerifyProblem("give either --envelope or --device-response; see --help")
        }
    }

    private static func nonce(_ text: String) throws(VerifyProblem) -> Nonce {
        guard let bytes = ByteText.bytes(hex: text) ?? ByteText.bytes(base64: text), let nonce = Nonce(bytes) else {
            throw VerifyProblem("--nonce is not hexadecimal or base64url of 1 to \(Nonce.maximumLength) bytes")
        }
        return nonce
    }

    private static func time(_ text: String?) throws(VerifyProblem) -> Timestamp? {
        guard let text else { return nil }
        guard let time = RFC3339.timestamp(text) else { throw VerifyProblem("--at is not an RFC 3339 date-time") }
        return time
    }

    private static func profile(_ text: String?) throws(VerifyProblem) -> CertificateProfile {
        guard let text else { return .basic }
        guard let profile = CertificateProfile(rawValue: text) else {
            throw VerifyProblem(
                "--profile is one of \(CertificateProfile.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return profile
    }
}
