public import Ledger
import Postbacks
import Values

extension ReferenceFile {
  /// Reads what an advertiser counted itself: `date`, `app` and `installs`.
  ///
  /// - Throws: The first mistake.
  public static func installs(_ bytes: [UInt8]) throws(ReferenceFileError) -> [OwnInstallsRow] {
    var mistakes = ReferenceMistakes(most: 1)
    return try installs(bytes, &mistakes)
  }

  /// Reads own installs and goes on after a mistake; rows count only where there is none.
  ///
  /// - Throws: A mistake of the whole file, or one too many.
  public static func installs(_ bytes: [UInt8], _ mistakes: inout ReferenceMistakes)
    throws(ReferenceFileError) -> [OwnInstallsRow]
  {
    var found: [OwnInstallsRow] = []
    var keys: Set<[Int64]> = []
    for row in try rows(
      bytes, required: ["date", "app", "installs"], optional: [], mistakes: &mistakes)
    {
      do throws(ReferenceFileError) {
        guard let day = try row.day("date") else { throw row.error("missing-date", "the row has no date") }
        let text = try row.required("app")
        guard let app = try row.app("app").flatMap({ AppID($0) }) else {
          throw row.error("invalid-app", "the app '\(text)' is not an App Store number")
        }
        guard keys.insert([Int64(day.number), app.number]).inserted else {
          throw row.error("repeated-row", "another row has the installs of this day and app")
        }
        found.append(
          OwnInstallsRow(day: day, app: app, installs: try row.whole("installs", row.required("installs"))))
      } catch {
        try mistakes.take(error)
      }
    }
    return found
  }
}
