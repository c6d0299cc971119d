public import VerificationCore

/// One requirement on every store. A table of these runs under any test framework, or under none.
public struct StoreCase: Sendable, CustomStringConvertible {
    /// The requirement, as a sentence.
    public let name: String
    /// Throws where a store does not meet it.
    public let run: @Sendable (StoreBench) async throws -> Void

    /// The name.
    public var description: String { name }

    init(_ name: String, _ run: @escaping @Sendable (StoreBench) async throws -> Void) {
        self.name = name
        self.run = run
    }

    /// Runs a requirement on a fresh store, and closes that.
    init(_ name: String, store run: @escaping @Sendable (any Store) async throws -> Void) {
        self.init(name) { bench in
            let store = try await bench.open()
            do {
                try await run(store)
            } catch {
                await store.close()
                throw error
            }
            await store.close()
        }
    }
}

/// Where a case gets its store from.
public struct StoreBench: Sendable {
    /// Opens the case's own store. Where it is durable, opening it again after closing shows what it held.
    public let open: @Sendable () async throws -> any Store
    /// Whether a store that was closed and opened again still holds everything.
    public let isDurable: Bool

    /// A bench.
    public init(isDurable: Bool, open: @escaping @Sendable () async throws -> any Store) {
        self.isDurable = isDurable
        self.open = open
    }
}

/// What a store did not do.
public struct StoreMisbehaviour: Error, CustomStringConvertible {
    /// What was seen, and where it was asked.
    public let description: String

    init(_ text: String, _ line: Int) {
        description = "\(text) (line \(line))"
    }
}

func require(_ condition: Bool, _ text: @autoclosure () -> String, line: Int = #line) throws {
    if !condition { throw StoreMisbehaviour(text(), line) }
}

func requireEqual<Value: Equatable>(_ found: Value, _ expected: Value, line: Int = #line) throws {
    if found != expected { throw StoreMisbehaviour("found \(found), expected \(expected)", line) }
}

func requireError<Value>(_ expected: StoreError, line: Int = #line, _ body: () async throws -> Value) async throws {
    let value: Value
    do {
        value = try await body()
    } catch let error as StoreError {
        return try requireEqual(error, expected, line: line)
    }
    throw StoreMisbehaviour("found \(value), expected the error \(expected)", line)
}
