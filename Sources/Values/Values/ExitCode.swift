/// What the exit of a command means to the program that started it.
public enum ExitCode: Int32, CaseIterable, Sendable {
  case done = 0
  /// Finished, and the check failed: an invalid postback, a mapping with errors.
  case failedCheck = 1
  case usage = 64
  /// The input is not in the expected form.
  case data = 65
  /// A port, a locked database or a service is unavailable.
  case unavailable = 69
  case bug = 70
  /// A file or stream could not be read or written.
  case inputOutput = 74
  /// Interrupted for the second time, or before anything could be kept.
  case interrupted = 130

  public var meaning: String {
    switch self {
    case .done: "finished"
    case .failedCheck: "finished; a check failed"
    case .usage: "wrong usage of the command"
    case .data: "invalid input data"
    case .unavailable: "a port, database or service is unavailable"
    case .bug: "internal error (a bug)"
    case .inputOutput: "input or output failed"
    case .interrupted: "interrupted"
    }
  }
}
