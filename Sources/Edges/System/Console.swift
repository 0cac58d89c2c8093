import Glibc
public import Values

/// The streams and settings that a command talks to its user with.
///
/// Data goes to `output`, all else to `errors`. Copies share their streams. Writing never fails at the call: a reader
/// that went away (`skan report | head`) silences the rest, and other failures are reported by ``finish()``.
public struct Console: Sendable {
  public let output: OutputStream
  public let errors: OutputStream
  /// Whether standard input is a terminal, where a person may have to type.
  public let isInputTerminal: Bool
  /// The width of the terminal in letters; 80 where there is none.
  public let columns: Int
  public let environment: [String: String]
  /// Whether notes and progress are left out.
  public private(set) var isQuiet = false
  private var forbidsColor = false
  /// The next line that a person types; `nil` at the end.
  private let nextLine: @Sendable () -> String?

  /// Puts a console together; programs take ``standard()``, tests ``captured(environment:columns:isTerminal:)``.
  public init(
    output: OutputStream, errors: OutputStream, isInputTerminal: Bool, columns: Int,
    environment: [String: String], nextLine: @escaping @Sendable () -> String? = { readLine() }
  ) {
    self.output = output
    self.errors = errors
    self.isInputTerminal = isInputTerminal
    self.columns = columns
    self.environment = environment
    self.nextLine = nextLine
  }

  /// Returns the console of the process, and has writes to closed pipes fail instead of killing it.
  public static func standard() -> Console {
    holdStandardDescriptors()
    signal(SIGPIPE, SIG_IGN)
    // A file at its size limit is then an error of write(2), as a full disk is.
    signal(SIGXFSZ, SIG_IGN)
    let environment = processEnvironment()
    return Console(
      output: OutputStream(descriptor: STDOUT_FILENO), errors: OutputStream(descriptor: STDERR_FILENO),
      isInputTerminal: isatty(STDIN_FILENO) == 1, columns: terminalColumns(environment),
      environment: environment)
  }

  /// Returns a console whose streams keep what is written; a person at it answers every question with `answer`.
  public static func captured(
    environment: [String: String] = [:], columns: Int = 80, isTerminal: Bool = false, answer: String? = nil
  ) -> Console {
    Console(
      output: OutputStream(capturingAsTerminal: isTerminal),
      errors: OutputStream(capturingAsTerminal: isTerminal),
      isInputTerminal: isTerminal, columns: columns, environment: environment, nextLine: { answer })
  }

  /// Returns the same console under the wishes of the command line.
  public func configured(isQuiet: Bool, forbidsColor: Bool) -> Console {
    var console = self
    console.isQuiet = isQuiet
    console.forbidsColor = forbidsColor
    return console
  }

  public func write(_ text: String) { output.write(Array(text.utf8)) }

  public func write(_ bytes: [UInt8]) { output.write(bytes) }

  public func line(_ text: String = "") { write(text + "\n") }

  /// Prints a note on standard error, unless `--quiet` is given.
  public func note(_ text: String) {
    guard !isQuiet else { return }
    errors.write(Array((printable(text, keepsLines: true) + "\n").utf8))
  }

  /// Asks a person a question; true only for the answer `y` or `yes`.
  public func confirms(_ question: String) -> Bool {
    output.flush()
    errors.write(Array("\(printable(question)) [y/N] ".utf8))
    errors.flush()
    return ["y", "yes"].contains(nextLine()?.lowercased())
  }

  /// Reports what went wrong on standard error, and what may help.
  public func problem(_ text: String, remedy: String? = nil) {
    let help = remedy.map { "  Try: \($0)\n" } ?? ""
    errors.write(Array(printable("skan: \(text)\n\(help)", keepsLines: true).utf8))
  }

  /// Returns text in a colour where the stream shows colours, else the text alone.
  public func paint(_ text: String, _ color: Color, on stream: OutputStream? = nil) -> String {
    allowsColor(on: stream ?? output) ? "\u{1b}[\(color.rawValue)m\(text)\u{1b}[0m" : text
  }

  /// Whether a stream is a terminal that shows colours to a person who wants them.
  ///
  /// Source: no-color.org.
  func allowsColor(on stream: OutputStream) -> Bool {
    stream.isTerminal && !forbidsColor && environment["NO_COLOR", default: ""].isEmpty
      && environment["TERM"] != "dumb"
  }

  /// Writes out what waits in buffers.
  ///
  /// - Returns: `.inputOutput` when data was lost, after an error message; nil when all is written or the reader has closed it.
  public func finish() -> ExitCode? {
    output.flush()
    guard case .failed(let reason) = output.state else { return nil }
    problem("cannot write to standard output: \(reason)", remedy: "check the space of the disk it goes to")
    return .inputOutput
  }
}

/// The colours of a terminal, by their ANSI codes.
public enum Color: Int, Sendable {
  case red = 31
  case green = 32
  case yellow = 33
}

/// Keeps files that are opened later from taking the place of a standard stream that the process was started without.
///
/// The file in its place fails when it is read or written, as a closed stream does.
private func holdStandardDescriptors() {
  for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
  where fcntl(descriptor, F_GETFD) < 0 {
    // The lowest free number is given, which is this one, because those below are open by now.
    _ = unsafe open("/dev/null", mode)
  }
}

private func processEnvironment() -> [String: String] {
  var variables: [String: String] = [:]
  var next = unsafe environ
  while let entry = unsafe next.pointee {
    let parts = unsafe String(cString: entry).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
    unsafe next += 1
  }
  return variables
}

private func terminalColumns(_ environment: [String: String]) -> Int {
  if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
  var size = winsize()
  for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
    if unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
  }
  return 80
}
