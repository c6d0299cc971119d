import ConformanceKit
import Glibc
import SQLiteStore
import VerificationCore

/// Fills the "disk" (no file of this process may grow beyond a bound), then gives it room again.
///
/// Says how many sessions were acknowledged before, what the first refused one got, what is in the store then, and
/// whether it goes on when there is room.
func fill(_ path: String) async {
    signal(SIGXFSZ, SIG_IGN)
    let store = opened(path)
    // More than the log takes before it is copied into the database, so that the copying fails too.
    limit(to: 6_000_000)
    var number = 0
    do throws(StoreError) {
        while number < 100_000 {
            _ = try await store.create(Sample.session(number), idempotency: nil, ledger: Sample.pair(number))
            number += 1
        }
    } catch {
        say("REFUSED \(error)")
    }
    say("ACKNOWLEDGED \(number)")
    say("THERE \(await count(store))")
    do throws(StoreError) {
        _ = try await store.session(SessionID("ses_\(number)"))
        say("REFUSED IS THERE")
    } catch {
        say("REFUSED IS \(error)")
    }
    limit(to: 0)
    do throws(StoreError) {
        try await store.probe(at: Sample.start)
        say("PROBE written")
    } catch {
        say("PROBE \(error)")
    }
    limit(to: Int.max)
    do throws(StoreError) {
        _ = try await store.create(Sample.session(number), idempotency: nil, ledger: Sample.pair(number))
        try await store.probe(at: Sample.start)
        say("RECOVERED \(await count(store))")
    } catch {
        say("STUCK \(error)")
    }
    await store.close()
}

private func count(_ store: SQLiteStore) async -> String {
    do throws(StoreError) {
        let counts = try await store.counts()
        return String(counts.values.reduce(0, +))
    } catch {
        return "\(error)"
    }
}

private func limit(to bytes: Int) {
    var limits = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
    limits.rlim_cur = bytes == Int.max ? limits.rlim_max : rlim_t(bytes)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
}
