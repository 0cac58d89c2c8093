import Arguments
import Campaigns
import Imports
import Intake
import System
import Values

/// The options with which an import reads files that are not written for skan, and streams of other programs.
enum ImportOptions {
  static let from = TypedOption<String?>.value(
    "--from", "PROFILE", .text,
    "Profile of the file or stream: a name of `skan profile list`, or a file.",
    defaultNote: "the columns' own names")
  static let columns = TypedOption<[String]>.repeatable(
    "--columns", "COLUMN=NAME", .text,
    "Columns of another name in the file, with commas between pairs; COLUMN= leaves one out.",
    defaultNote: "their own names")
  static let fixed = TypedOption<[String]>.repeatable(
    "--set", "COLUMN=VALUE", .text, "Values that are the same in all rows: currency=USD.")
  static let timeFormat = TypedOption<String?>.value(
    "--time-format", "PATTERN", .text,
    "Form of dates: day-first, month-first, excel, excel-1904, or letters of strptime: '%d.%m.%Y'.",
    defaultNote: "2026-11-21")
  static let timeZone = TypedOption<ReportingZone?>.value(
    "--time-zone", "ZONE", ReportingZone.kind, "Clock of the account, where dates are moments.")
  static let state = TypedOption<String?>.value(
    "--state", "FILE", .path, "File that gets the last state of the stream once its rows are stored.")

  static let all: [Option] = [
    from.option, columns.option, fixed.option, timeFormat.option, timeZone.option, state.option,
  ]
}

extension Invocation {
  /// How the file is to be read by the options of the command line.
  func layout<Kind: ReferenceImport>(for kind: Kind.Type) throws -> ImportLayout<Kind.Listed.Row> {
    var form = ImportForm()
    if let name = self[ImportOptions.from] { form = try profile(name, for: kind).form }
    if let pattern = self[ImportOptions.timeFormat] { form.days.format = try timeFormat(pattern) }
    if let zone = self[ImportOptions.timeZone] { form.days.zone = zone }
    do throws(ImportLayoutDefect) {
      for pairs in self[ImportOptions.columns] { try form.rename(pairs) }
    } catch {
      throw mistake("The value of '--columns' is invalid: \(error.sentence).")
    }
    do throws(ImportLayoutDefect) {
      for pairs in self[ImportOptions.fixed] { try form.fix(pairs) }
      return try ImportLayout(form)
    } catch {
      let option = self[ImportOptions.fixed].isEmpty ? "--columns" : "--set"
      throw mistake("The value of '\(option)' is invalid: \(error.sentence).")
    }
  }

  /// A form of times that an option names.
  func timeFormat(_ pattern: String) throws -> TimeFormat {
    do throws(TimeFormat.Defect) { return try TimeFormat(pattern) } catch {
      throw mistake("The value of '--time-format' is invalid: \(error.sentence).")
    }
  }

  private func profile<Kind: ReferenceImport>(_ name: String, for kind: Kind.Type) throws -> ImportProfile {
    let known = try ImportProfile.builtIn().filter { $0.profile.kind == Kind.profileKind }
    if let found = known.first(where: { $0.name.rawValue == name }) { return found.profile }
    guard name.contains("/") || name.hasSuffix(".json") else {
      let names = known.map(\.name.rawValue)
      let meant = nearest(to: name, among: names)
      throw mistake(
        "There is no profile '\(printable(name))' for \(Kind.profileKind.rawValue).",
        hint: meant.map { "Did you mean '\($0)'?" }
          ?? (names.isEmpty
            ? "Write one to a file: see `man 5 skan-profiles`."
            : "Use \(names.joined(separator: ", ")), or the path of a file."))
    }
    let bytes = try FileReader.contents(of: name, limit: 1 << 20)
    let profile = try ImportProfile(bytes, name: name)
    guard profile.kind == Kind.profileKind else {
      throw CommandError(
        .data, "\(name): the profile is for \(profile.kind.rawValue), not for \(Kind.profileKind.rawValue)",
        remedy:
          "run `skan \(profile.kind.rawValue) import`, or set \"imports\" to \"\(Kind.profileKind.rawValue)\""
      )
    }
    return profile
  }
}

extension ImportProfile {
  /// The profiles that are part of the program.
  static func builtIn() throws -> [(name: BuiltInProfile, profile: ImportProfile)] {
    try BuiltInProfile.allCases.map { ($0, try $0.profile) }
  }
}
