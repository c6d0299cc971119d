/// Looks until something is so, and goes on at once; `false` where the time is over first.
///
/// A `for … where` loop is no such thing: it goes on looking when it is so, as often as it has turns. Where a look starts
/// a process, that takes longer than what is waited for. The time is a bound on a test that fails, so it may be far
/// longer than anything that works needs, on however slow a machine.
public func eventually(
    within seconds: Int = 30, every pause: Duration = .milliseconds(20), _ isSo: () async throws -> Bool
) async throws -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    while try await !isSo() {
        guard clock.now < end else { return false }
        try await Task.sleep(for: pause)
    }
    return true
}
