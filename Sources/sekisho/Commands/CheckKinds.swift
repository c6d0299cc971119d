import Configuration

/// What judges the part of a verifier's configuration that only its kind understands.
enum CheckKinds {
    static let checkers: [String: KindChecker] = ["in_house": { _, _, _ in }]
}
