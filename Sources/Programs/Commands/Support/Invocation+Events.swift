import EventFiles
import System
import Values

extension Invocation {
  /// The users of an events file.
  ///
  /// - Parameters:
  ///   - path: The file's path; `-` is standard input.
  ///   - currency: The currency of amounts that name none.
  /// - Returns: The users in the order of their first rows.
  /// - Throws: ``CommandError`` of exit code 65 that names the line where a row is wrong or there is none.
  func users(_ path: String, currency: CurrencyCode) throws -> [UserEvents.User] {
    let input = try InputFile(path, on: console)
    var progress = Progress("events", unit: "bytes", total: input.size, on: console)
    let name = path == "-" ? "standard input" : path
    let reader = EventRowReader(columns: try columns(), currency: currency, mistakes: mistakes)
    var events = UserEvents()
    do {
      let read = try reader.read({
        progress.advance(to: input.position)
        return try input.next()
      }) { try events.add($0) }
      progress.finish()
      noteColumns(read.passedOver)
      var skipped = mistakes == .skip ? read.skipped : nil
      let users = try events.users(skipping: &skipped)
      if let skipped { note(skipped, of: name) }
      guard !users.isEmpty else {
        throw CommandError(.data, "found no event in \(path == "-" ? "standard input" : "'\(path)'")")
      }
      return users
    } catch let error as EventFileError {
      throw mistake(error, in: name)
    }
  }
}
