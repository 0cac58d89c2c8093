import Configuration
import Values

extension ServiceLog {
  /// Lets a part of the daemon take what it needs from the configuration file once more, and logs that or why it keeps what it
  /// has.
  ///
  /// - Parameters:
  ///   - what: What is taken, in the plural.
  ///   - take: Takes it, and returns what the log notes of it.
  func noteRereading(
    of what: String, from path: String, _ take: (ConfigurationFile) throws -> [(String, ServiceLog.Value)]
  ) {
    do {
      let noted = try take(try ConfigurationFile.read(path))
      write(.info, "\(what)-read", [("file", .string(path))] + noted)
    } catch {
      write(
        .error, "\(what)-not-read",
        [
          ("reason", .string(CommandError(error).message)), ("in-force", .string("the \(what) read before")),
        ])
    }
  }
}
