import Foundation
import Testing
import VerificationCore

@testable import Gateway

/// The pages that promise codes, held against the code.
@Suite struct ContractTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func section(_ title: String) throws -> [String] {
        let page = try String(contentsOf: Self.root.appendingPathComponent("docs/errors.md"), encoding: .utf8)
        let parts = page.components(separatedBy: "\n## ")
        let part = try #require(parts.first { $0.hasPrefix(title) })
        return part.components(separatedBy: "\n### `").dropFirst().compactMap {
            $0.components(separatedBy: "`").first
        }
    }

    @Test func `every problem has its section in the errors page, and no other`() throws {
        let listed = try section("Problems")
        #expect(Set(listed) == Set(ProblemCode.allCases.map(\.rawValue)))
        #expect(listed.count == Set(listed).count)
    }

    @Test func `every problem's section names its status and whether a retry helps`() throws {
        let page = try String(contentsOf: Self.root.appendingPathComponent("docs/errors.md"), encoding: .utf8)
        for code in ProblemCode.allCases {
            let part = try #require(page.components(separatedBy: "\n### `\(code.rawValue)`\n").dropFirst().first)
            let text = try #require(part.components(separatedBy: "\n##").first)
            #expect(text.contains("HTTP \(code.status)."), "\(code)")
            #expect(text.contains("Retry the same request: \(code.isRetryable ? "yes" : "no")."), "\(code)")
        }
    }

    @Test func `every reason and failure has its section, and no other`() throws {
        #expect(try section("Reasons") == Reason.allCases.map(\.rawValue))
        #expect(try section("Failures") == FailureCode.allCases.map(\.rawValue))
    }

    @Test func `the OpenAPI document knows the codes, checks and reasons of the code`() throws {
        let data = try Data(contentsOf: Self.root.appendingPathComponent("docs/openapi.json"))
        let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let components = try #require(document["components"] as? [String: Any])
        let schemas = try #require(components["schemas"] as? [String: [String: Any]])
        func values(_ schema: String, _ property: String? = nil) -> Set<String> {
            guard let property else { return Set(schemas[schema]?["enum"] as? [String] ?? []) }
            let properties = schemas[schema]?["properties"] as? [String: [String: Any]]
            return Set(properties?[property]?["enum"] as? [String] ?? [])
        }
        #expect(values("Problem", "code") == Set(ProblemCode.allCases.map(\.rawValue)))
        #expect(values("Reason") == Set(Reason.allCases.map(\.rawValue)))
        #expect(values("Check", "name") == Set(CheckName.allCases.map(\.rawValue)))
        #expect(values("Status") == Set(SessionStatus.allCases.map(\.rawValue)))
    }
}
