import Foundation
import Testing

/// `sekisho backup` beside the running program, and what a gateway that is started on the copy does.
@Suite(.serialized) struct BackupCommandTests {
    @Test func `Q03 a copy made beside the running gateway is whole, and a restored one redeems no nonce twice`()
        async throws
    {
        let gateway = try RunningGateway()
        try await gateway.start()
        let (first, firstAnswer) = try await gateway.presented()
        let (second, secondAnswer) = try await gateway.presented()
        #expect(
            try await gateway.call("POST", "/v1/sessions/\(first)/submission", body: firstAnswer).sessionStatus
                == "verified")
        let made = try gateway.run("sekisho", ["backup", "config.json5", "--to", "copy.sqlite3"])
        #expect(made.status == 0, "\(made.output)")
        let lines = made.output.split(separator: "\n").map(String.init)
        #expect(
            lines.count == 3 && lines[0] == "copy.sqlite3" && lines[1].hasPrefix("2 events; the chain holds; head "))
        #expect(lines[2].contains("audit events; the chain holds; head "))
        // Never over another, and the gateway noticed nothing.
        #expect(try gateway.run("sekisho", ["backup", "config.json5", "--to", "copy.sqlite3"]).status == 2)
        #expect(
            try await gateway.call("POST", "/v1/sessions/\(second)/submission", body: secondAnswer).sessionStatus
                == "verified")
        #expect(try await gateway.stop() == 0)
        // Its database need not be open either.
        #expect(
            try gateway.run("sekisho", ["backup", "var/demo/sekisho.sqlite3", "--to", "later.sqlite3"]).output
                .contains("4 events; the chain holds"))

        try restore(gateway, "copy.sqlite3")
        try await gateway.start()
        for (id, answer) in [(first, firstAnswer), (second, secondAnswer)] {
            let again = try await gateway.call("POST", "/v1/sessions/\(id)/submission", body: answer)
            #expect(again.status == 409 || again.status == 410, "\(again.text)")
            #expect(again.sessionStatus != "verified")
        }
        #expect(try await gateway.call("GET", "/v1/sessions/\(first)").sessionStatus == "verified")
        #expect(try await gateway.call("GET", "/v1/sessions/\(second)").sessionStatus == "expired")
        let (third, thirdAnswer) = try await gateway.presented()
        #expect(
            try await gateway.call("POST", "/v1/sessions/\(third)/submission", body: thirdAnswer).sessionStatus
                == "verified")
        #expect(try await gateway.stop() == 0)
        let proof = try gateway.run("sekisho", ["ledger", "verify", "var/demo/sekisho.sqlite3"])
        #expect(proof.status == 0 && proof.output.hasPrefix("4 events; the chain holds"), "\(proof.output)")
        #expect(try gateway.run("sekisho", ["audit", "verify", "config.json5"]).status == 0)
    }

    @Test func `what cannot be copied says why, and leaves nothing behind`() async throws {
        let gateway = try RunningGateway()
        func backup(_ arguments: String...) throws -> Int32 {
            try gateway.run("sekisho", ["backup"] + arguments).status
        }
        // No gateway ever ran here.
        #expect(try backup("config.json5", "--to", "copy.sqlite3") == 2)
        #expect(try backup("none.json5", "--to", "copy.sqlite3") == 2)
        #expect(try backup("var/demo/iaca.pem", "--to", "copy.sqlite3") == 2)
        #expect(try backup("config.json5") == 64)
        #expect(try backup("--to", "copy.sqlite3") == 64)
        try await gateway.start()
        #expect(try await gateway.stop() == 0)
        #expect(try backup("config.json5", "--to", "none/copy.sqlite3") == 2)
        let left = try FileManager.default.contentsOfDirectory(atPath: gateway.folder.path)
        #expect(!left.contains { $0.hasPrefix("copy") || $0.hasPrefix("none") })
    }

    private func restore(_ gateway: RunningGateway, _ copy: String) throws {
        let database = gateway.folder.appendingPathComponent("var/demo/sekisho.sqlite3")
        for name in ["", "-wal", "-shm"] {
            let file = URL(fileURLWithPath: database.path + name)
            if FileManager.default.fileExists(atPath: file.path) { try FileManager.default.removeItem(at: file) }
        }
        try FileManager.default.moveItem(at: gateway.folder.appendingPathComponent(copy), to: database)
    }
}
