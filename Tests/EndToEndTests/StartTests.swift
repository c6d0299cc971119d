import Foundation
import TestSupport
import Testing

/// A gateway at work, and mistakes made beside it.
@Suite(.serialized) struct StartTests {
    @Test func `F01 no mistake beside a running gateway disturbs it, and each is named`() async throws {
        let gateway = try RunningGateway()
        try await gateway.start()
        let good = try String(contentsOf: gateway.folder.appendingPathComponent("config.json5"), encoding: .utf8)
        func write(_ name: String, _ text: String) throws {
            try text.write(to: gateway.folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
        func changed(_ name: String, _ old: String, _ new: String) throws {
            try #require(good.contains(old), "\(old)")
            try write(name, good.replacingOccurrences(of: old, with: new))
        }
        try write("syntax.json5", good + "}")
        try changed("value.json5", #"retention: "1d""#, #"retention: "5""#)
        try changed("typo.json5", "trust: [{", "trusts: [{")
        try changed("key.json5", "var/demo/merchant.key", "var/demo/none.key")
        try changed("sealing.json5", "var/demo/sealing.key", "var/demo/iaca.pem")
        try changed("anchor.json5", "var/demo/iaca.pem", "var/demo/merchant.key")
        try changed("same-store.json5", "port: 0", "port: 0")
        try changed("port.json5", #"port: 0"#, "port: \(gateway.port)")
        try write(
            "port.json5",
            String(contentsOf: gateway.folder.appendingPathComponent("port.json5"), encoding: .utf8)
                .replacingOccurrences(of: "var/demo/sekisho.sqlite3", with: "var/demo/second.sqlite3"))
        try FileManager.default.createDirectory(
            at: gateway.folder.appendingPathComponent("folder.json5"), withIntermediateDirectories: true)

        let (id, submission) = try await gateway.presented()
        // What `check` can see, `serve` refuses too, and both say the same place.
        let seen = [
            ("syntax.json5", "document"), ("value.json5", "retention"), ("typo.json5", "trusts"),
            ("key.json5", "keys[0].key"), ("sealing.json5", "sealing.keys[0].key"), ("anchor.json5", "trust[0].path"),
            ("none.json5", "document"), ("folder.json5", "document"),
        ]
        for (name, place) in seen {
            for command in ["check", "serve"] {
                let (status, words) = try told(gateway, [command, name])
                #expect(status == 1, "\(command) \(name)")
                #expect(words.contains(place) || name.contains("syntax"), "\(command) \(name): \(words)")
                #expect(!words.contains("PRIVATE KEY"), "\(command) \(name)")
            }
        }
        // What only shows when it starts: the store and the port are taken.
        for name in ["same-store.json5", "port.json5"] {
            let (status, words) = try told(gateway, ["serve", name])
            #expect(status == 1 && !words.isEmpty, "\(name): \(words)")
        }
        // SIGHUP reads its own file again, which is as it was.
        for _ in 0..<3 { kill(try gateway.processIdentifier(), SIGHUP) }
        #expect(
            try await eventually {
                try String(contentsOf: gateway.logs[0], encoding: .utf8).contains("the configuration was reloaded")
            })
        #expect(try await gateway.call("GET", "/readyz").status == 200)
        let answer = try await gateway.call("POST", "/v1/sessions/\(id)/submission", body: submission)
        #expect(answer.sessionStatus == "verified")
        #expect(try await gateway.stop() == 0)
        let log = try String(contentsOf: gateway.logs[0], encoding: .utf8)
        #expect(log.contains("the configuration was reloaded") && !log.contains("was refused: what ran"))
        #expect(try gateway.sql("SELECT count(*) FROM ledger") == "2")
        #expect(try gateway.sql("PRAGMA integrity_check") == "ok")
    }

    /// Runs the program; what it said on either output.
    private func told(_ gateway: RunningGateway, _ arguments: [String]) throws -> (Int32, String) {
        let process = Process()
        process.executableURL = RunningGateway.Setup.find().products.appendingPathComponent("sekisho")
        process.arguments = arguments
        process.currentDirectoryURL = gateway.folder
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}
