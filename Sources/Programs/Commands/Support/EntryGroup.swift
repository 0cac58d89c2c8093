import Arguments

/// Commands that people look for together, with what runs them.
package struct EntryGroup: Sendable {
  /// The word that `skan help` takes.
  let name: String
  /// One sentence that begins with a verb.
  let summary: String
  package let entries: [Entry]

  init(_ name: String, _ summary: String, _ entries: [Entry]) {
    self.name = name
    self.summary = summary
    self.entries = entries
  }

  /// The entries in the order of their first words, those of one word beside each other.
  static func byPrefix(_ entries: [Entry]) -> [Entry] {
    var words: [String] = []
    for entry in entries where !words.contains(entry.prefix) { words.append(entry.prefix) }
    return words.flatMap { word in entries.filter { $0.prefix == word } }
  }
}

extension Entry {
  /// The first word of its command.
  var prefix: String { command.path[0] }
}
