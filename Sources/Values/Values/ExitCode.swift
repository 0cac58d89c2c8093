/// What the exit of a command means to the program that started it.
public enum ExitCode: Int32, CaseIterable, Sendable {
  /// Done.
  case done = 0
  /// Done, and the answer is that something is bad: an invalid postback, a mapping with errors.
  case bad = 1
  /// The command was used wrongly.
  case usage = 64
  /// The input could not be read as what it should be.
  case data = 65
  /// Something needed is unavailable: a port, a locked database.
  case unavailable = 69
  /// A bug of the program.
  case bug = 70
  /// A file or stream could not be read or written.
  case inputOutput = 74
  /// Interrupted for the second time, or before anything could be kept.
  case interrupted = 130

  /// One phrase on what the code means, for the help.
  public var meaning: String {
    switch self {
    case .done: "done"
    case .bad: "done, and the answer is \"bad\""
    case .usage: "the command was used wrongly"
    case .data: "the input could not be read as what it should be"
    case .unavailable: "something needed is unavailable"
    case .bug: "a bug"
    case .inputOutput: "input or output failed"
    case .interrupted: "interrupted"
    }
  }
}
