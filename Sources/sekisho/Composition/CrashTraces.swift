import Foundation
import Glibc

/// Keeps keys and people's data out of what is written of a program that crashed.
enum CrashTraces {
    /// The signals of a crash.
    private static let crashes = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP]

    /// No core file and no account of the crash, by this process or by the programs it starts.
    ///
    /// Swift's runtime answers a crash with a report on standard error, which is our log: it holds the memory that
    /// registers point at, and the process lives on for as long as the report takes. So the signals go back to the
    /// system. Linux heeds no limit where it pipes cores to a program, so what memory goes into a core is set to none as
    /// well; only a system that hides `/proc` can refuse that, and the limit holds there too.
    static func forbid() {
        for number in crashes { signal(number, SIG_DFL) }
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        if let filter = FileHandle(forWritingAtPath: "/proc/self/coredump_filter") {
            try? filter.write(contentsOf: Data("0".utf8))
        }
    }
}
