import Billing
import Glibc
import VerificationCore

// Prints the day, the month and the month's instants of each moment given as milliseconds, as a host in another zone
// sees them: the environment of a process is the only zone that a program cannot argue about.
let arguments = CommandLine.arguments.dropFirst()
guard let name = arguments.first, let zone = BillingZone(name) else {
    print("usage: usage-probe ZONE MILLISECONDS ...")
    exit(64)
}
for argument in arguments.dropFirst() {
    guard let milliseconds = Int64(argument) else { exit(64) }
    let time = Timestamp(milliseconds: milliseconds)
    let range = zone.range(of: zone.month(of: time))
    print(zone.day(of: time), zone.month(of: time), range.lowerBound.milliseconds, range.upperBound.milliseconds)
}
