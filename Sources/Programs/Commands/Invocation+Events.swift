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
    let reader = EventRowReader(columns: try columns(), currency: currency)
    var events = UserEvents()
    do {
      let passedOver = try reader.read({
        progress.advance(to: input.position)
        return try input.next()
      }) { try events.add($0) }
      progress.finish()
      noteColumns(passedOver)
      guard !events.isEmpty else {
        throw CommandError(.data, "found no event in \(path == "-" ? "standard input" : "'\(path)'")")
      }
      return try events.users()
    } catch let error as EventFileError {
      throw CommandError(
        .data, "\(path == "-" ? "standard input" : path):\(error.line): \(error.sentence) [\(error.code)]",
        remedy: error.cure)
    }
  }
}
