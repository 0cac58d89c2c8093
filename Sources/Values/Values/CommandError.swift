/// What is in the way of a command or of a part of the service, whatever module found it.
public struct CommandError: UserFacingError, Equatable {
  /// What it means to the program that started this one.
  public let exitCode: ExitCode
  /// What was tried and why it failed.
  public let message: String
  public let remedy: String?

  public init(_ exitCode: ExitCode, _ message: String, remedy: String? = nil) {
    self.exitCode = exitCode
    self.message = message
    self.remedy = remedy
  }

  /// Makes one of any error; one that is not for people to read is a bug.
  public init(_ error: any Error) {
    if let error = error as? any UserFacingError {
      self.init(error.exitCode, error.message, remedy: error.remedy)
    } else {
      self.init(.bug, "internal error: \(error)", remedy: "report it with the command line")
    }
  }

  /// Returns the same error with the name of what it is about in front.
  public func about(_ name: String) -> CommandError {
    CommandError(exitCode, "\(name): \(message)", remedy: remedy)
  }
}

/// Runs `body`, and puts the name of what it is about in front of what goes wrong.
public func naming<Value>(_ name: String, _ body: () throws -> Value) throws(CommandError) -> Value {
  do { return try body() } catch { throw CommandError(error).about(name) }
}
