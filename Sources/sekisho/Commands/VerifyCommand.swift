import Foundation
import Mdoc
import Trust
import VerificationCore

/// `sekisho verify`: judges one answer of a wallet, offline.
struct VerifyCommand {
    /// What the shell is told.
    enum ExitCode: Int32 {
        case verified = 0
        case rejected = 1
        case couldNotTell = 2
    }

    /// What a run wants to say.
    struct Outcome {
        var exitCode: ExitCode
        var output = ""
        var complaints = ""
    }

    /// Runs the command and writes to the standard streams.
    static func run(_ arguments: [String]) async -> Int32 {
        let outcome = execute(arguments, at: Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)))
        FileHandle.standardOutput.write(Data(outcome.output.utf8))
        FileHandle.standardError.write(Data(outcome.complaints.utf8))
        return outcome.exitCode.rawValue
    }

    /// Runs the command at an instant and returns all that it says.
    static func execute(_ arguments: [String], at now: Timestamp) -> Outcome {
        if arguments.contains("--help") || arguments.contains("-h") {
            return Outcome(exitCode: .verified, output: VerifyArguments.usage)
        }
        do throws(VerifyProblem) {
            let parsed = try VerifyArguments(arguments)
            return present(try judge(parsed, at: parsed.at ?? now), asJSON: parsed.asJSON)
        } catch {
            return Outcome(exitCode: .couldNotTell, complaints: "sekisho verify: \(error.words)\n")
        }
    }

    private static func judge(_ arguments: VerifyArguments, at now: Timestamp) throws(VerifyProblem) -> MdocResult {
        var configuration = MdocVerifier.Configuration(
            recipientKeys: try VerifyFiles.keys(arguments.keys),
            signerVerifier: SignerVerifier(
                trust: try VerifyFiles.trust(arguments.trust, arguments.profile, at: now), profile: arguments.profile),
            certificateProfile: arguments.profile)
        // Whoever looks at one answer wants to see what was issued, not a hundred thresholds that follow from it.
        configuration.derivesAges = false
        let verifier = MdocVerifier(configuration)
        let purpose = VerifyPurpose.everything(of: arguments.documentType)
        switch arguments.input {
        case .envelope(let file, let nonce, let identity):
            return verifier.verify(
                envelope: try VerifyFiles.evidence(file), nonce: nonce, walletIdentity: identity,
                expectedDocumentType: arguments.documentType, purpose: purpose, at: now)
        case .deviceResponse(let file, let transcriptFile):
            return verifier.verify(
                deviceResponse: try VerifyFiles.evidence(file), transcript: try VerifyFiles.transcript(transcriptFile),
                expectedDocumentType: arguments.documentType, purpose: purpose, at: now)
        }
    }

    private static func present(_ result: MdocResult, asJSON: Bool) -> Outcome {
        let exitCode: ExitCode =
            switch result.verdict {
            case .verified: .verified
            case .rejected: .rejected
            case nil: .couldNotTell
            }
        return Outcome(
            exitCode: exitCode, output: asJSON ? VerifyJSON.text(result) : VerifyTable.text(result),
            complaints: result.incidents.map { "incident: \($0.rawValue)\n" }.joined())
    }
}

/// Why nothing could be judged; the words are for the person at the shell.
struct VerifyProblem: Error {
    let words: String

    init(_ words: String) {
        self.words = words
    }
}
