import VerificationCore

/// A session with what its seal gave up, ready to be rendered for the app that owns it.
struct SessionView: Sendable {
    let record: SessionRecord
    let reference: Sensitive<String?>
    let purpose: Purpose?
    let result: Sensitive<SealedResult?>
}
