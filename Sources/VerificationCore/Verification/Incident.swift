/// Something that must be counted and looked into, and that holds no value of the person's.
public enum Incident: String, Sendable, CaseIterable, Hashable {
    /// A マイナンバー arrived although it cannot be requested; it was dropped.
    case individualNumberReceived = "individual_number_received"
    /// An element arrived that the purpose does not allow; it was dropped.
    case unrequestedElementReceived = "unrequested_element_received"
}
