/// Why trust anchors or CRLs were refused: every problem that was found, not only the first.
public struct TrustError: Error, Sendable, Equatable, CustomStringConvertible {
    /// At least one.
    public let problems: [TrustProblem]

    /// An error of these problems.
    public init(_ problems: [TrustProblem]) {
        self.problems = problems
    }

    /// One line a problem.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}

/// One problem with one file.
public struct TrustProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Fault: Sendable, Hashable {
        /// The file or folder cannot be read.
        case unreadable
        /// The folder holds no file.
        case emptyFolder
        /// The folder holds another folder, which is not searched.
        case nestedFolder
        /// The file is longer than any file of its kind.
        case tooLong
        /// The file holds neither a PEM block nor DER.
        case noBlock
        /// A PEM block of a kind that does not belong here, a private key among them.
        case unexpectedBlock
        /// A PEM block that has header lines, is cut off, or is not base64.
        case malformedBlock
        /// The block is no certificate.
        case certificate(CertificateError)
        /// The block is no CRL.
        case revocationList(CertificateError)
        /// The certificate is no anchor for these reasons.
        case unsuitable([CertificateProblem])
        /// Its signature does not verify under its own key, although it is self-issued: it is damaged.
        case damaged
        /// Nothing that was configured can be used.
        case noUsableAnchor
    }

    /// The file or folder; empty where the problem is of none alone.
    public let path: String
    /// The number of the block in the file, from 1.
    public let block: Int?
    /// What is wrong.
    public let fault: Fault

    init(path: String, block: Int? = nil, fault: Fault) {
        self.path = path
        self.block = block
        self.fault = fault
    }

    /// `FILE, block N: what is wrong`.
    public var description: String {
        let place = [path.isEmpty ? nil : path, block.map { "block \($0)" }].compactMap(\.self).joined(separator: ", ")
        return place.isEmpty ? words : place + ": " + words
    }

    private var words: String {
        switch fault {
        case .unreadable: "cannot be read"
        case .emptyFolder: "is a folder without a file"
        case .nestedFolder: "is a folder inside a folder, which is not searched"
        case .tooLong: "is too long"
        case .noBlock: "holds neither a PEM block nor DER"
        case .unexpectedBlock: "is not of the expected kind"
        case .malformedBlock: "is not a sound PEM block"
        case .certificate(let error): "the certificate \(error)"
        case .revocationList(let error): "the CRL \(error)"
        case .unsuitable(let problems):
            "the certificate is no trust anchor: " + problems.map(\.rawValue).joined(separator: ", ")
        case .damaged: "the certificate is damaged: its own signature does not verify"
        case .noUsableAnchor: "no usable trust anchor"
        }
    }
}
