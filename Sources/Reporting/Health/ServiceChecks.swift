import System
package import Values
package import Verification

/// Checks of keys, clock, certificate and permissions.
package enum ServiceChecks {
  /// The first year in which this program can run.
  private static let firstYear = "2026-01-01"
  /// Days before a certificate's end from which on it is time to renew it.
  private static let daysToRenew: Int64 = 14

  /// Whether the keyring judges published postbacks right.
  ///
  /// - Parameters:
  ///   - testKeys: How many of them are for tests; `nil` where they were not counted.
  /// - Returns: What was found about the keys and about judging.
  package static func keys(_ keyring: Keyring, testKeys: Int?) -> [HealthFinding] {
    let tests = testKeys.map { $0 > 0 ? "; \($0) test keys loaded" : "" } ?? ""
    let matching = "the fingerprints of Apple's keys match\(tests)"
    let added = keyring.addedProductionKeys
    let loaded =
      added == 0
      ? HealthFinding.ok("keys", matching)
      : .warn(
        "keys",
        "\(matching); \(counted(added, "further key")) of --trust-test-keys sign\(added == 1 ? "s" : "") for production, "
          + "so production figures have postbacks that Apple did not sign",
        cure: "leave them out of --trust-test-keys unless Apple published them")
    do {
      try keyring.selfTest()
      return [
        loaded, .ok("self-test", "Apple's published postbacks are valid, and an altered one is invalid"),
      ]
    } catch {
      return [loaded, .fail("self-test", CommandError(error))]
    }
  }

  /// Whether the clock can be right; `newest` is when the newest postback came.
  package static func clock(_ now: Instant, newest: Instant?) -> HealthFinding {
    let cure = "set the clock, for example with `timedatectl set-ntp true`"
    if let first = Instant(firstYear), now < first {
      return .fail("clock", "the clock shows \(now), earlier than this release", cure: cure)
    }
    if let newest, now < newest {
      return .fail(
        "clock", "the clock shows \(now), earlier than the newest postback (\(newest))", cure: cure)
    }
    return .ok("clock", "the clock shows \(now)")
  }

  /// Whether a certificate ends soon.
  ///
  /// - Parameters:
  ///   - subject: What is valid, such as a file that matches its key.
  package static func certificate(_ subject: String, until end: Instant, now: Instant) -> HealthFinding {
    let detail = "\(subject) is valid until \(end)"
    return end < now + daysToRenew * Day.milliseconds
      ? .warn("tls", detail, cure: "renew the certificate, then send SIGHUP to the service")
      : .ok("tls", detail)
  }

  /// Whether others can read the files of a database, which hold secrets; `nil` where there is no file.
  package static func modes(of database: String) -> HealthFinding? {
    let files = [database, "\(database)-wal", "\(database)-shm", "\(database)-journal"]
    let found = files.compactMap { path in Permissions(of: path).map { (path: path, mode: $0) } }
    guard !found.isEmpty else { return nil }
    let shared = found.filter { $0.mode.areShared }
    guard !shared.isEmpty else { return .ok("modes", "only the owner can read the database files") }
    let names = shared.map { "'\($0.path)' (\($0.mode))" }.joined(separator: ", ")
    let paths = shared.map { "'\($0.path)'" }.joined(separator: " ")
    return .warn(
      "modes", "other users can read files with secrets: \(names)",
      cure: "run `chmod 600 \(paths)`, unless you share them on purpose")
  }
}
