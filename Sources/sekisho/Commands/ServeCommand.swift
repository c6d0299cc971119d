import Configuration
import Gateway
import HTTPClient
import HTTPServer
import VerificationCore

/// `sekisho serve CONFIG`: runs the gateway until SIGTERM. Exit 0 after a clean stop, 1 where it could not start.
struct ServeCommand {
    static let usage = "usage: sekisho serve CONFIG"

    static func run(_ arguments: [String]) async -> Int32 {
        guard arguments.count == 1, let path = arguments.first, !path.hasPrefix("-") else {
            Terminal.complain(usage)
            return 64
        }
        let stop = StopSignal()
        let hangup = HangupSignal()
        do {
            let assembly = try await Assembly.open(configurationAt: path)
            let server: HTTPServer
            do {
                server = try assembly.listen()
            } catch {
                await assembly.store.close()
                throw error
            }
            hangup.onEach { Task { _ = await assembly.gateway.reload() } }
            await run(assembly, server, until: stop)
            withExtendedLifetime(hangup) {}
            return 0
        } catch let error as StoreError {
            Terminal.complain("the store could not be used: \(error.rawValue) (a full disk, or a damaged file)")
            return 1
        } catch {
            Terminal.complain("\(error)")
            return 1
        }
    }

    private static func run(_ assembly: Assembly, _ server: HTTPServer, until stop: StopSignal) async {
        let details: [(Log.Key, Log.Value)] = [
            (.address, .text(assembly.configuration.http.address)), (.port, .number(Int64(server.port))),
            (.version, .text(Version.text)), (.configuration, .text(assembly.configuration.version)),
        ]
        assembly.log(.info, "listening", at: assembly.clock.now(), details)
        let housekeeping = Task { await assembly.housekeeper.run() }
        let delivering = Task { await assembly.outbox.run() }
        await stop.wait()
        assembly.log(.info, "stopping", at: assembly.clock.now())
        delivering.cancel()
        assembly.gateway.prepareToStop()
        await server.shutdown(grace: assembly.configuration.http.shutdownGrace)
        housekeeping.cancel()
        await housekeeping.value
        await delivering.value
        assembly.client.shutdown()
        await assembly.store.close()
        assembly.log(.info, "stopped", at: assembly.clock.now())
    }
}
