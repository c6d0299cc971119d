/// Adding whole minor units. A sum beyond 64 bits is no money that anybody has: it stays at the end of the range, so that an
/// absurd price gives an absurd report and stops nobody.
extension Int64 {
    func addingMinorUnits(_ other: Int64) -> Int64 {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? (other < 0 ? .min : .max) : sum
    }
}
