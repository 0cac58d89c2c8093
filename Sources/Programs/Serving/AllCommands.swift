import Arguments
package import Commands
package import Values

/// All commands, in the order of the help.
let entries: [Entry] = allEntries(demo: DemoCommand.entry, serve: ServeCommand.entry)

/// Runs the words of a command line and returns what the process should end with.
package func run(_ words: [String], in world: CommandContext) -> ExitCode {
  run(words, among: entries, in: world)
}
