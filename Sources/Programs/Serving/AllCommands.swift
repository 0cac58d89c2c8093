import Arguments
package import Commands
package import Values

/// All commands, in the order of the help.
let allGroups: [EntryGroup] = entryGroups(demo: DemoCommand.entry, serve: ServeCommand.entry)

/// Runs the words of a command line and returns what the process should end with.
package func run(_ words: [String], in world: CommandContext) -> ExitCode {
  run(words, among: allGroups, in: world)
}
