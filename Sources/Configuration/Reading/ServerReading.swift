import Foundation
import Glibc
import JSONTree
import VerificationCore

/// The ranges within which limits can be configured: below, nothing works any more; above, one client costs too much.
enum ServerRanges {
    static let bodyBytes: ClosedRange<Int64> = 64 << 10...16 << 20
    static let headerBytes: ClosedRange<Int64> = 4 << 10...64 << 10
    static let deadline: ClosedRange<Duration> = .seconds(1) ... .seconds(600)
    static let idle: ClosedRange<Duration> = .seconds(1) ... .seconds(3600)
    static let connections: ClosedRange<Int64> = 16...100_000
    static let connectionsPerAddress: ClosedRange<Int64> = 1...100_000
    static let bufferedBytes: ClosedRange<Int64> = 1 << 20...4 << 30
    static let invoiceBytes: ClosedRange<Int64> = 1 << 20...256 << 20
    static let threads: ClosedRange<Int64> = 1...64
    static let grace: ClosedRange<Duration> = .seconds(0) ... .seconds(600)
}

extension ConfigurationReading {
    func http(in environment: DeploymentEnvironment) -> HTTPDeclaration {
        var http = HTTPDeclaration()
        guard let reader = root.optionalObject("http") else { return http }
        if let address = reader.optional("address"), let text = address.string() {
            if ConfigurationReading.isAddress(text) {
                http.address = text
            } else {
                address.report("must be an IP address, such as \"127.0.0.1\" or \"::1\"")
            }
        }
        http.port = UInt16(reader.integer("port", in: 0...65535, default: Int64(http.port)))
        if http.port == 0, environment == .production {
            reader.report("must be a port that is known beforehand, in production", member: "port")
        }
        http.threads = reader.integer("threads", in: ServerRanges.threads, default: Int64(http.threads))
        http.shutdownGrace = reader.duration("shutdown_grace", in: ServerRanges.grace, default: http.shutdownGrace)
        if let limits = reader.optionalObject("limits") { http.limits = self.limits(limits) }
        reader.rejectUnknownKeys()
        return http
    }

    private func limits(_ reader: JSONReader) -> HTTPDeclaration.Limits {
        var limits = HTTPDeclaration.Limits()
        limits.bodyBytes = reader.integer("body_bytes", in: ServerRanges.bodyBytes, default: Int64(limits.bodyBytes))
        limits.headerBytes = reader.integer(
            "header_bytes", in: ServerRanges.headerBytes, default: Int64(limits.headerBytes))
        limits.headDeadline = reader.duration("head_deadline", in: ServerRanges.deadline, default: limits.headDeadline)
        limits.bodyDeadline = reader.duration("body_deadline", in: ServerRanges.deadline, default: limits.bodyDeadline)
        limits.answerDeadline = reader.duration(
            "answer_deadline", in: ServerRanges.deadline, default: limits.answerDeadline)
        limits.idleTimeout = reader.duration("idle_timeout", in: ServerRanges.idle, default: limits.idleTimeout)
        limits.connections = reader.integer(
            "connections", in: ServerRanges.connections, default: Int64(limits.connections))
        limits.connectionsPerAddress = reader.integer(
            "connections_per_address", in: ServerRanges.connectionsPerAddress,
            default: Int64(limits.connectionsPerAddress))
        limits.bufferedBytes = reader.integer(
            "buffered_bytes", in: ServerRanges.bufferedBytes, default: Int64(limits.bufferedBytes))
        limits.invoiceBytes = reader.integer(
            "invoice_bytes", in: ServerRanges.invoiceBytes, default: Int64(limits.invoiceBytes))
        if limits.bufferedBytes < limits.bodyBytes {
            reader.report("must hold at least one body of body_bytes", member: "buffered_bytes")
        }
        reader.rejectUnknownKeys()
        return limits
    }

    private static func isAddress(_ text: String) -> Bool {
        var four = in_addr()
        var six = in6_addr()
        return inet_pton(AF_INET, text, &four) == 1 || inet_pton(AF_INET6, text, &six) == 1
    }

    func store(in environment: DeploymentEnvironment) -> StoreDeclaration? {
        guard let reader = root.object("store") else { return nil }
        defer { reader.rejectUnknownKeys() }
        let kind = reader.optional("kind").map { $0.enumeration(as: StoreKind.self) } ?? .sqlite
        switch kind {
        case .sqlite:
            guard let path = reader.required("path"), let text = path.path(path.string()) else { return nil }
            return .sqlite(path: text)
        case .memory:
            _ = reader.optionalString("path")
            if environment == .production {
                reader.report("keeps nothing when the process ends: not in production", member: "kind")
            }
            return .memory
        case nil:
            _ = reader.optionalString("path")
            return nil
        }
    }

    private enum StoreKind: String, CaseIterable {
        case sqlite, memory
    }

    func logging() -> LoggingDeclaration {
        var logging = LoggingDeclaration()
        guard let reader = root.optionalObject("logging") else { return logging }
        logging.level = reader.optionalEnumeration("level") ?? logging.level
        reader.rejectUnknownKeys()
        return logging
    }
}
