import HTTPServer

/// What readers wait for, a line for each; the readers take turns.
///
/// A line is there only while something waits in it, so however many readers come, none leaves anything behind.
struct ReaderTurns<Job: Sendable>: Sendable {
  private struct Line: Sendable {
    let reader: RequestSender
    var waiting: [Job]
  }

  /// Jobs of one reader that wait at most.
  let mostOfReader: Int
  /// The next one's turn first.
  private var lines: [Line] = []

  init(mostOfReader: Int) { self.mostOfReader = mostOfReader }

  /// Lets a job wait; false where its reader has too many waiting.
  mutating func append(_ job: Job, of reader: RequestSender) -> Bool {
    guard let place = lines.firstIndex(where: { $0.reader == reader }) else {
      lines.append(Line(reader: reader, waiting: [job]))
      return true
    }
    guard lines[place].waiting.count < mostOfReader else { return false }
    lines[place].waiting.append(job)
    return true
  }

  /// Takes out the job whose turn it is; `nil` where none waits.
  mutating func next() -> Job? {
    guard !lines.isEmpty else { return nil }
    var line = lines.removeFirst()
    let job = line.waiting.removeFirst()
    if !line.waiting.isEmpty { lines.append(line) }
    return job
  }

  /// Takes out all that waits.
  mutating func removeAll() -> [Job] {
    defer { lines = [] }
    return lines.flatMap(\.waiting)
  }
}
