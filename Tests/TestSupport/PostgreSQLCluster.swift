import Foundation
import System

/// A private PostgreSQL server with a folder and a socket of its own; it ends with the tests, however they end.
public final class PostgreSQLCluster: Sendable {
  /// A server that can't be started.
  public struct StartError: Error, CustomStringConvertible {
    public let description: String
  }

  private struct State {
    var program: Subprocess
    var orders = 0
  }

  private let state: Guarded<State>
  /// The folder with the socket.
  private let folder: String
  private let databases = Guarded(0)

  /// Why there is no server for tests; `nil` where there is one.
  public static let missing: String? = {
    guard programs == nil else { return nil }
    let reason = "PostgreSQL is not installed, so its tests are skipped; tools/setup --postgresql installs it"
    FileHandle.standardError.write(Data((reason + "\n").utf8))
    return reason
  }()

  /// One server for all tests that do not stop it.
  public static func shared() throws -> PostgreSQLCluster { try only.get() }

  private static let only = Result { try PostgreSQLCluster() }

  /// The newest version that Debian has installed.
  private static let programs: String? = {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    return versions.compactMap { Int($0) }.sorted().map { "/usr/lib/postgresql/\($0)/bin" }
      .last { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
  }()

  /// Reads orders, one a line, and ends the server at the end of its input.
  ///
  /// PostgreSQL does not run as root.
  private static let script = """
    set -u
    programs=$1 folder=$(mktemp -d "${TMPDIR:-/tmp}/skan-postgresql-XXXXXX")
    as() { "$@"; }
    if [[ $(id -u) -eq 0 ]]; then
      chown postgres: "$folder"
      as() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
    fi
    cd "$folder"
    # What is tested is the loss of processes, not of power.
    settings="-c listen_addresses='' -c unix_socket_directories=$folder -c fsync=off -c max_connections=60"
    settings="$settings -c shared_buffers=16MB -c log_min_messages=warning"
    server() { as "$programs/pg_ctl" -s -w -D "$folder/data" -l "$folder/log" -o "$settings" "$@" </dev/null >/dev/null 2>&1; }
    trap 'server stop -m immediate; rm -rf "$folder"' EXIT
    as "$programs/initdb" -D "$folder/data" -U skan --auth=trust --no-sync --no-locale -E UTF8 </dev/null >"$folder/setup" 2>&1 &&
      server start || { cat "$folder/setup" "$folder/log" >&2; exit 1; }
    echo "ready $folder"
    while read -r number order; do
      case $order in
      crash) server stop -m immediate ;;
      start) server start || { tail -n 20 "$folder/log" >&2; exit 1; } ;;
      esac
      echo "done $number"
    done
    """

  /// Starts a server of a test's own.
  public init() throws {
    guard let programs = Self.programs else { throw StartError(description: Self.missing ?? "") }
    let program = try Subprocess("/bin/bash", ["-c", Self.script, "cluster", programs])
    guard let line = program.waitForLine(containing: "ready ") else {
      throw StartError(description: program.finish().errors)
    }
    folder = String(line.dropFirst(6))
    state = Guarded(State(program: program))
  }

  /// Ends all processes of the server at once, as a crash does.
  public func crash() { give("crash") }

  /// Starts the server again, which recovers first.
  public func start() { give("start") }

  /// Ends the server and removes its folder; only for a server of a test's own.
  public func end() { state.withLock { _ = $0.program.finish() } }

  private func give(_ order: String) {
    state.withLock { state in
      state.orders += 1
      state.program.write(Array("\(state.orders) \(order)\n".utf8))
      _ = state.program.waitForLine(containing: "done \(state.orders)")
    }
  }

  /// The address of a database of the server.
  public func address(of database: String) -> String { "host=\(folder) user=skan dbname=\(database)" }

  /// A name that no other database has.
  public func freshName() -> String {
    databases.withLock { number in
      number += 1
      return "test\(number)"
    }
  }
}
