import Foundation

/// Looks until something is so, and goes on at once; `false` where the time is over first.
///
/// A `for … where` loop is no such thing: it goes on looking when it is so, as often as it has turns. Where a look starts
/// a process, that takes longer than what is waited for.
func eventually(within seconds: Int = 20, _ isSo: () async throws -> Bool) async throws -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    while try await !isSo() {
        guard clock.now < end else { return false }
        try await Task.sleep(for: .milliseconds(20))
    }
    return true
}
