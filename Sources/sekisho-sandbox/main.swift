import Foundation

// The file has no closure of its own: at top level one would belong to the main actor.
exit(Command.run(Array(CommandLine.arguments.dropFirst())))
