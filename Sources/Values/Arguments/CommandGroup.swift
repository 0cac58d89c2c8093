/// Commands that people look for together; `help` takes the name of their group, and completions and manual keep the order.
package struct CommandGroup: Equatable, Sendable {
  /// One word, which is no first word of a command.
  package let name: String
  /// One sentence that begins with a verb.
  package let summary: String
  package let commands: [Command]

  package init(_ name: String, _ summary: String, _ commands: [Command]) {
    self.name = name
    self.summary = summary
    self.commands = commands
  }

  /// The commands in one line, with the words that follow one first word in brackets: `mapping (check, diff), serve`.
  var line: String {
    var words: [String] = []
    var rest = commands[...]
    while let first = rest.first {
      let together = rest.prefix { $0.path[0] == first.path[0] }
      rest = rest.dropFirst(together.count)
      let second = together.compactMap { $0.path.dropFirst().first }
      words.append(
        together.count == 1 ? first.name : "\(first.path[0]) (\(second.joined(separator: ", ")))")
    }
    return words.joined(separator: ", ")
  }
}
