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
    let known = Sentence("the fingerprints of Apple's keys match")
    let matching =
      testKeys.flatMap { $0 > 0 ? .joined([known, Sentence("\($0) test keys loaded")], by: "; ") : nil }
      ?? known
    let added = keyring.addedProductionKeys
    let loaded =
      added == 0
      ? HealthFinding.ok(.keys, matching)
      : .warn(
        .keys,
        Sentence(
          "\(matching); \(added, one: "# further key of --trust-test-keys signs", other: "# further keys of --trust-test-keys sign") "
            + "for production, so production figures have postbacks that Apple did not sign"),
        cure: Sentence("leave them out of --trust-test-keys unless Apple published them"))
    do {
      try keyring.selfTest()
      return [
        loaded,
        .ok(.selfTest, Sentence("Apple's published postbacks are valid, and an altered one is invalid")),
      ]
    } catch {
      return [loaded, .fail(.selfTest, CommandError(error))]
    }
  }

  /// Whether the clock can be right; `newest` is when the newest postback came.
  package static func clock(_ now: Instant, newest: Instant?) -> HealthFinding {
    let cure = Sentence("set the clock, for example with `timedatectl set-ntp true`")
    if let first = Instant(firstYear), now < first {
      return .fail(.clock, Sentence("the clock shows \(now), earlier than this release"), cure: cure)
    }
    if let newest, now < newest {
      return .fail(
        .clock, Sentence("the clock shows \(now), earlier than the newest postback (\(newest))"), cure: cure)
    }
    return .ok(.clock, Sentence("the clock shows \(now)"))
  }

  /// Whether a certificate ends soon.
  ///
  /// - Parameters:
  ///   - subject: What is valid, such as a file that matches its key.
  package static func certificate(_ subject: Sentence, until end: Instant, now: Instant) -> HealthFinding {
    let detail = Sentence("\(subject) is valid until \(end)")
    return end < now + daysToRenew * Day.milliseconds
      ? .warn(.tls, detail, cure: Sentence("renew the certificate, then send SIGHUP to the service"))
      : .ok(.tls, detail)
  }

  /// Whether others can read the files of a database, which hold secrets; `nil` where there is no file.
  package static func modes(of database: String) -> HealthFinding? {
    let files = [database, "\(database)-wal", "\(database)-shm", "\(database)-journal"]
    let found = files.compactMap { path in Permissions(of: path).map { (path: path, mode: $0) } }
    guard !found.isEmpty else { return nil }
    let shared = found.filter { $0.mode.areShared }
    guard !shared.isEmpty else { return .ok(.modes, Sentence("only the owner can read the database files")) }
    let names = shared.map { "'\($0.path)' (\($0.mode))" }.joined(separator: ", ")
    let paths = shared.map { "'\($0.path)'" }.joined(separator: " ")
    return .warn(
      .modes, Sentence("other users can read files with secrets: \(name: names)"),
      cure: Sentence("run `chmod 600 \(name: paths)`, unless you share them on purpose"))
  }
}
