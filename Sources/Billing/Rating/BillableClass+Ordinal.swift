import VerificationCore

extension BillableClass {
    /// Its place among the classes, for arrays with one entry for each.
    var ordinal: Int {
        switch self {
        case .sessionCreated: 0
        case .evidenceSubmitted: 1
        case .completedAny: 2
        case .completedPass: 3
        case .completedFail: 4
        case .resubmission: 5
        case .statusCheck: 6
        case .dataRefetch: 7
        case .nonBillable: 8
        }
    }
}
