import Arguments
import Campaigns
import JSONText
import Pages
import Postbacks
import Reports
import System
import Values

/// `skan digest`: prints the digest of a week.
enum DigestCommand {
  enum DigestFormat: String, CaseIterable, ParameterValue { case text, html, json }

  enum Options {
    static let week = TypedOption<Day?>.value(
      "--week", "DAY", .day, "A day of the week to print, Monday to Sunday (UTC).",
      defaultNote: "the last week that is over")
    static let apps = TypedOption<[AppID]>.list(
      "--app", "APP", AppID.kind, "App Store numbers of the apps to include.")
    static let environment = TypedOption<Environment>.choice(
      "--environment", "ENVIRONMENT", "Environment whose keys signed the postbacks.", default: .production)
    static let pages = TypedOption<String>.value(
      "--pages-url", "URL", .text, "Address of the pages that lines lead to, without a path.",
      default: "https://skan.example")
    static let language = TypedOption<Language>.language("Language of text and HTML.")
    static let format = TypedOption<DigestFormat>.choice(
      "--format", "FORMAT", "Output format.", default: .text)
  }

  static let entry = Entry(
    command: Command(
      "digest", "Print the digest of a week: what changed beyond chance, what is sure, what to look at.",
      discussion: [
        "The first list has changes of decoded revenue that are more than chance, with their causes "
          + "(`skan report causes`). The second one has campaigns whose return is surely below or above 1 "
          + "(`skan report estimates`), of installs in the 28 days up to five days before the end of the week. The third one "
          + "has alerts, new mapping versions, copies that disagree, tokens that end within 14 days, and old backups. Each "
          + "line leads to a page.",
        "The HTML needs neither style nor pictures, so it can be the body of a mail. `skan serve` posts the digest of each "
          + "week to webhooks whose configuration has `digest`, on Monday from 08:00 UTC on, and never a week twice.",
      ],
      examples: [
        .init("Print the last week", "skan digest -d skan.db"),
        .init(
          "Save a week as the body of a mail",
          "skan digest -d skan.db --week 2026-11-16 --format html --pages-url https://skan.example > digest.html"
        ),
      ],
      options: [
        .database(), Options.week.option, Options.apps.option, Options.environment.option,
        Options.pages.option, Options.language.option,
        Options.format.option,
      ])
  ) { call in
    let now = call.world.clock()
    let week = call[Options.week] ?? Digest.lastWeek(before: now)
    let digest = try Digest(
      weekOf: week, environment: call[Options.environment], apps: call[Options.apps],
      from: ReportSource(reader: call.reader(), now: now))
    let pages = call[Options.pages]
    let base = pages.hasSuffix("/") ? String(pages.dropLast()) : pages
    let wording = PlainTexts(call[Options.language]).wording
    switch call[Options.format] {
    case .text: call.console.write(digest.text(base: base, in: wording))
    case .html: call.console.write(digest.html(base: base, in: wording))
    case .json: call.console.write(digest.json.text(pretty: true) + "\n")
    }
    return .done
  }
}
