/// What a challenge remembers: the hashes of the keys that were ours when it was made, one after the other.
enum ChallengeState {
    private static let hashLength = 32

    static func bytes(_ hashes: [[UInt8]]) -> [UInt8] { hashes.flatMap(\.self) }

    static func contains(_ hash: some Collection<UInt8>, in state: [UInt8]) -> Bool {
        guard hash.count == hashLength, state.count.isMultiple(of: hashLength) else { return false }
        return stride(from: 0, to: state.count, by: hashLength).contains {
            state[$0..<$0 + hashLength].elementsEqual(hash)
        }
    }
}
