import Glibc

/// Runs a program and collects what it prints: no shell, no input, no error output of ours, none of our files, an end
/// in time. Foundation's `Process` was tried and lost ends of programs; this is the seam to `posix_spawn` instead, and
/// its pointers do not leave this file.
enum ProgramRun {
    /// The descriptors that a program does not inherit: what a server opens early, such as its database and its listener.
    /// Those that are not open do no harm (glibc passes over them).
    private static let inherited: Range<Int32> = STDERR_FILENO + 1..<256

    /// What a program printed, where it ended well.
    static func output(
        of arguments: [String], environment: [String: String], within timeout: Duration
    ) throws(SecretProblem) -> [UInt8] {
        let deadline = ContinuousClock.now + timeout
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .commandNotStarted }
        defer { close(ends[0]) }
        let process = start(arguments, environment.map { "\($0.key)=\($0.value)" }, output: ends[1])
        close(ends[1])
        guard let process else { throw .commandNotStarted }
        do throws(SecretProblem) {
            let bytes = try read(ends[0], until: deadline)
            guard try status(of: process, until: deadline) == 0 else { throw .commandFailed }
            return bytes
        } catch {
            // The program has a group of its own: its children end with it. Not after `commandFailed`: then it is gone,
            // and its number may be another's.
            if error != .commandFailed {
                kill(-process, SIGKILL)
                waitpid(process, nil, 0)
            }
            throw error
        }
    }

    private static func read(_ descriptor: Int32, until deadline: ContinuousClock.Instant) throws(SecretProblem)
        -> [UInt8]
    {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
            guard left > 0 else { throw .commandTimedOut }
            let ready = poll(&waiting, 1, Int32(min(left.rounded(.up), 1_000_000)))
            if ready < 0, errno != EINTR { throw .commandTimedOut }
            guard ready > 0 else { continue }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw .commandTimedOut
            }
            bytes.append(contentsOf: buffer.prefix(count))
            if bytes.count > SecretResolver.longestSecret { throw .tooLong }
        }
    }

    /// How the program ended. It may live on for a while after it closed its output, so it is asked again and again.
    private static func status(of process: pid_t, until deadline: ContinuousClock.Instant) throws(SecretProblem)
        -> Int32
    {
        var status: Int32 = 0
        while true {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { return status }
            if ended < 0, errno != EINTR { throw .commandFailed }
            if ContinuousClock.now >= deadline { throw .commandTimedOut }
            poll(nil, 0, 1)
        }
    }

    private static func start(_ arguments: [String], _ environment: [String], output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { posix_spawn_file_actions_destroy(&actions) }
        var attributes = posix_spawnattr_t()
        guard posix_spawnattr_init(&attributes) == 0 else { return nil }
        defer { posix_spawnattr_destroy(&attributes) }
        // What the program complains of may quote the secret; what we have open is none of its business.
        guard posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) == 0,
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0,
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0,
            inherited.allSatisfy({ posix_spawn_file_actions_addclose(&actions, $0) == 0 })
        else { return nil }
        // A server ignores and blocks signals that a program wants to have.
        var all = sigset_t()
        var none = sigset_t()
        sigfillset(&all)
        sigemptyset(&none)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        guard posix_spawnattr_setflags(&attributes, Int16(flags)) == 0, posix_spawnattr_setpgroup(&attributes, 0) == 0,
            posix_spawnattr_setsigdefault(&attributes, &all) == 0, posix_spawnattr_setsigmask(&attributes, &none) == 0
        else { return nil }
        var words = arguments.map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var process: pid_t = 0
        guard let program = words[0], posix_spawn(&process, program, &actions, &attributes, &words, &variables) == 0
        else { return nil }
        return process
    }
}
