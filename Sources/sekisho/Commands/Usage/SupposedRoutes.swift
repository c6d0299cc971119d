import Billing
import Configuration
import Routing
import SQLiteStore
import Usage
import VerificationCore

/// A month priced as if the routes of another configuration had held.
///
/// The ledger knows who asked, why and when, and not for which document: where a rule looks at document types, it is
/// judged by those that the purpose allows. What cannot be judged stays with the verifier that did it, and is counted.
struct SupposedRoutes {
    /// What it comes to, and what it leaves out.
    struct Supposition {
        let report: UsageReport
        let notes: [String]
    }

    /// Where an attempt would have gone.
    private enum Fate {
        case stays
        case moves(VerifierID)
        case unjudged
    }

    /// Calls read at once.
    private static let page = 5000

    private let path: String
    private let month: BillingMonth
    private let desk: UsageDesk
    private let routes: RoutingTable
    private let purposes: [PurposeID: PurposeDeclaration]
    private let plans: [VerifierID: BillingPlan]

    init(configurationAt path: String, month: BillingMonth, desk: UsageDesk, at now: Timestamp) async throws {
        let opened = try OpenedConfiguration.forCommand(path: path, at: now)
        self.path = path
        self.month = month
        self.desk = desk
        routes = opened.configuration.routes
        purposes = opened.configuration.purposes
        plans = opened.descriptions.mapValues(\.billing)
    }

    func price(by groupings: [UsageGrouping]) async throws -> Supposition {
        var fates: [AttemptID: (fate: Fate, isSubmitted: Bool)] = [:]
        try await eachRow { row in
            guard row.last.role == .primary else { return }
            let fate = fates[row.last.attempt]?.fate ?? self.fate(of: row)
            let isSubmitted = fates[row.last.attempt]?.isSubmitted ?? false
            fates[row.last.attempt] = (fate, isSubmitted || row.call.isSubmission)
        }
        var names = try await desk.reader.usageNames().names
        var calls: [Int32: [UsageCall]] = [:]
        var unknownPolls = 0
        func number(_ verifier: VerifierID) -> Int32 {
            if let place = names.firstIndex(of: verifier.rawValue) { return Int32(place) }
            names.append(verifier.rawValue)
            return Int32(names.count - 1)
        }
        try await eachRow { row in
            guard row.last.role == .primary, let (fate, isSubmitted) = fates[row.last.attempt],
                case .moves(let verifier) = fate
            else {
                calls[row.call.verifier, default: []].append(row.call)
                return
            }
            guard row.call.isSubmission || !isSubmitted else { return }
            let plan = plans[verifier] ?? BillingPlan.none
            if let rule = plan.rules[.poll], rule.condition == .call { unknownPolls += 1 }
            calls[number(verifier), default: []] += Self.calls(row.call, moved: number(verifier), plan)
        }
        var builder = UsageReportBuilder(
            month: month, book: desk.book, groupings: groupings, names: UsageNames(names))
        for (verifier, list) in calls {
            let rule = desk.book.verifiers[VerifierID(names[Int(verifier)])]?.billingTime ?? .ended
            let sorted = list.sorted { ($0.time(by: rule), $0.sequence) < ($1.time(by: rule), $1.sequence) }
            for call in sorted { builder.add(call) }
        }
        return Supposition(report: builder.report(), notes: notes(fates.values.map { $0.fate }, unknownPolls))
    }

    private func notes(_ fates: [Fate], _ unknownPolls: Int) -> [String] {
        var (moved, unjudged) = (0, 0)
        for fate in fates {
            switch fate {
            case .stays: break
            case .moves: moved += 1
            case .unjudged: unjudged += 1
            }
        }
        var notes = [
            "what if: routed by \(path), with the verdicts and times that there were",
            "moved: \(moved) of \(fates.count) attempts",
            "not judged: \(unjudged) attempts, whose rule asks for a document type that the ledger does not keep; "
                + "fallbacks and shadows stay where they were",
        ]
        if unknownPolls > 0 {
            notes.append(
                "not judged: how often \(unknownPolls) of the moved attempts would have been polled, which bills")
        }
        return notes
    }

    private func eachRow(_ body: (CallRow) -> Void) async throws {
        var place: CallPlace?
        repeat {
            let page = try await desk.reporter.calls(of: month, verifier: nil, after: place, limit: Self.page)
            for row in page.rows { body(row) }
            place = page.next
        } while place != nil
    }

    /// The first rule that speaks of the attempt decides, as long as it is known to.
    private func fate(of row: CallRow) -> Fate {
        guard let documents = purposes[row.last.purpose]?.purpose.documentTypes else { return .unjudged }
        for rule in routes.rules {
            let request = RoutingRequest(
                session: row.last.session, purpose: row.last.purpose, documentType: "", client: row.last.client,
                at: row.call.startedAt)
            var others = rule
            others.documentTypes = nil
            guard others.unmetCondition(of: request) == nil else { continue }
            if let wanted = rule.documentTypes {
                let common = wanted.intersection(documents)
                if common.isEmpty { continue }
                guard common.count == Set(documents).count else { return .unjudged }
            }
            guard let verifier = rule.candidates(for: row.last.session).first else { return .unjudged }
            return verifier == row.last.verifier ? .stays : .moves(verifier)
        }
        return .unjudged
    }

    /// What another verifier would have billed for an attempt: each of its rules once, where the outcome fulfils it.
    private static func calls(_ call: UsageCall, moved verifier: Int32, _ plan: BillingPlan) -> [UsageCall] {
        var base = call
        base.verifier = verifier
        base.billableClass = .nonBillable
        guard call.isSubmission else {
            guard let rule = plan.charge(for: .begin, outcome: nil) else { return [] }
            base.billableClass = rule.billableClass
            base.quantity = rule.quantity
            return [base]
        }
        var calls = [base]
        guard call.isSettled else { return calls }
        for (place, step) in [VerificationStep.submit, .begin, .poll].enumerated() {
            guard let rule = plan.charge(for: step, outcome: call.outcome) else { continue }
            var billed = base
            billed.billableClass = rule.billableClass
            billed.quantity = rule.quantity
            if place == 0 {
                calls[0] = billed
            } else {
                billed.isSubmission = false
                calls.append(billed)
            }
        }
        return calls
    }
}
