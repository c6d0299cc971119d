import Glibc

// Runs one part of a test in a process of its own, which the test then kills.
let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
    say("usage: store-crasher (work | full | migrate | upgrade | measure | open) DATABASE [NUMBER [MILLISECONDS]]")
    exit(64)
}
let number = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
switch arguments[1] {
case "work": await work(on: arguments[2], round: number)
case "full": await fill(arguments[2])
case "migrate": migrate(arguments[2], dyingAt: number)
case "upgrade": upgrade(arguments[2], dyingAt: number)
case "measure":
    await measure(
        arguments[2], calls: number, from: arguments.count > 4 ? Int64(arguments[4]) ?? midnight : midnight)
case "open": await openOnly(arguments[2])
default: exit(64)
}
