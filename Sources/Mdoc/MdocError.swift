/// Why a structure of ISO/IEC 18013-5 cannot be read.
public enum MdocError: Error, Sendable, Equatable {
    /// It is not what the standard's CDDL says.
    case malformed
}
