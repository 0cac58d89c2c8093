import Arguments
package import Estimates
import Ledger
import Mappings
package import Postbacks
package import Tables
package import Values

extension EstimateReport {
  /// A version of a mapping whose postbacks have no figures, because no own user under it has as much history as the
  /// horizon: it took effect too lately, or no users of its time were imported.
  package struct LeftOutVersion: Sendable {
    package let app: AppID
    /// From 1, in the order in which the app's versions take effect.
    package let number: Int
    package let effectiveFrom: Instant
    /// Winning first postbacks that are expected to be of the shown days.
    package internal(set) var postbacks = 0.0
  }

  package static let leftOut = Detail<LeftOutVersion>(
    "left-out-versions",
    [
      Column("app", "app", "App Store number of the app.") { Identifier("\($0.app.number)") },
      Column(
        "version", "version", "Number of the mapping version of which no own users are known by the horizon.",
        \.number),
      Column("effective-from", "from", "When the mapping version takes effect.", \.effectiveFrom),
      Column("left-out", "left out", "First postbacks that have no figures.") { ExpectedCount($0.postbacks) },
    ])
}

extension EstimateReport.Row {
  /// Whether so many postbacks are left out that spend cannot be compared with the rest.
  var leavesOutMany: Bool { leftOut > EstimateReport.notableShare * (sum.installs + leftOut) }

  /// What to know before using the numbers.
  package var flags: [EstimateFlag] {
    var flags = sum.flags
    if leavesOutMany { flags.insert(.leftOut) }
    if isOneSided { flags.insert(.oneSided) }
    return flags.sorted { $0.rawValue < $1.rawValue }
  }
}

extension EstimateReport.Basis {
  /// What is left out because of the horizon, and since when.
  var leftOutNotes: [Sentence] {
    leftOut.map { version in
      let days = Sentence("\(report.days ?? 0, "day")")
      return Sentence(
        "left out: \(Int(nearest: version.postbacks), one: "# first postback", other: "# first postbacks") under version "
          + "\(version.number) of the mapping of app \(code: version.app.number), in force from "
          + "\(version.effectiveFrom.day): no own user under it has \(days) of history. Rows and totals are without them; "
          + "import users with \(days) of history once there are some")
    }
  }
}

extension ParameterError {
  /// A horizon of which no own users under any version of a mapping are known.
  static func unknownHorizon(_ days: Int, of mapping: Mapping, known: [Int]) -> Self {
    let (app, day) = (mapping.app.number, mapping.effectiveFrom.day)
    guard !known.isEmpty else {
      return Self(
        "horizon",
        Sentence(
          "found \(days), but no own users with \(days, "day") of history under the mapping of app \(code: app) "
            + "from \(day). Import users by this horizon, or choose another one."))
    }
    return Self(
      "horizon",
      Sentence(
        "found \(days), but no own users with \(days, "day") of history under the mapping of app \(code: app) "
          + "from \(day) (known: \(code: known.map { "\($0)" }.joined(separator: ", "))). "
          + "Import users by this horizon, or choose another one."))
  }
}

extension EstimateReport {
  /// The part of a row's postbacks from which on figures that compare it with something whole are left out.
  static let notableShare = 0.01
}
