import TestSupport

/// Sets the limit that holds for a running daemon and leaves the one that it could be raised to.
///
/// - Parameters:
///   - name: `fsize` for the bytes of a file, `nofile` for open files.
///   - daemon: Whose limit it is.
///   - value: A number or `unlimited`.
/// - Throws: ``HTTPClientError`` where the system rejects.
func limit(_ name: String, of daemon: Daemon, to value: String) throws {
  let result = try Subprocess.run(
    "/usr/bin/prlimit", ["--pid", "\(daemon.identifier)", "--\(name)=\(value):"])
  guard result.exitCode == 0 else { throw HTTPClientError(description: result.errors) }
}

/// Runs `skan doctor --deep` on a database.
func doctor(_ database: String) throws -> ProgramResult {
  try Subprocess.run("skan", ["doctor", "--deep", "--database", database, "--listen", "127.0.0.1:0"])
}
