import Glibc
public import Values

/// Ends the process; what waits in buffers of ``OutputStream`` has to be written before.
public func exitProcess(_ code: ExitCode) -> Never { exit(code.rawValue) }

/// Ends the process at once, without any of the program's own last words; its temporary files are removed.
public func exitAtOnce(_ code: ExitCode) -> Never {
  TemporaryFiles.removeAll()
  _exit(code.rawValue)
}
