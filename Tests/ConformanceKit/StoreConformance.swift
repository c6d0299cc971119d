/// The suite that every store passes.
public enum StoreConformance {
    /// Every case.
    public static let cases: [StoreCase] =
        writing + claiming + concluding + retention + ledger + lifetime + waiting + outbox + calls + operators + usage
        + audit
}
