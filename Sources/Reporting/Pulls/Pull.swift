package import Intake
package import Values

/// A source that is read again and again, as a pull document describes it.
package struct Pull: Sendable {
  /// What it is called in messages, metrics and the database.
  package let name: String
  package let content: Content
  let signIn: SignIn?
  let report: Report?
  let request: PullRequest
  let pages: PullPages
  /// The way to the rows in an answer of JSON; `nil` where the answer is a file of rows.
  let rows: String?
  package let days: Days
  let limits: Limits
  /// Whether an answer without rows is no mistake.
  let mayBeEmpty: Bool

  /// What the rows are.
  package enum Content: Sendable {
    /// Rows of a table, which have this form.
    case rows(ImportProfile.Kind, ImportForm, replaces: Replaced)
    /// Postbacks, which are verified.
    case postbacks(PostbackForm)
  }

  /// Which stored rows an answer takes the place of.
  package enum Replaced: String, Hashable, Sendable, CaseIterable {
    /// Those of the same keys.
    case rows
    /// All of the days and networks that the answer has rows of, so that rows that are gone there go here too.
    case days
  }

  package struct PostbackForm: Sendable {
    /// The partner whose export it is; `nil` for JSON.
    package let export: PartnerExport?
    /// The member of a row that is the postback; `nil` where the row itself is.
    package let member: String?
    /// The member or column with the time of arrival.
    package let timeMember: String?
  }

  /// How a token is had.
  struct SignIn: Sendable {
    let request: PullRequest
    /// The way to the token in the answer; `nil` where the answer is the token.
    let token: String?
  }

  /// A report that is ordered, and fetched once it is ready.
  struct Report: Sendable {
    let order: PullRequest
    /// The way to its number in the answer to the order.
    let id: String
    let status: PullRequest
    /// The way to its state in the answer about the status.
    let state: String
    let done: [String]
    let failed: [String]
  }

  /// The days of a run.
  package struct Days: Sendable {
    /// How the source writes days: letters of strftime.
    let format: PullDayFormat
    /// Whether `{to}` is the last day itself, and not the day behind it.
    let isToIncluded: Bool
    /// How many days before today are read again at each run.
    package let again: Int
    /// Before which nothing is asked for.
    package let earliest: Day?
    /// How many days one request asks for at most.
    let atOnce: Int?
  }

  struct Limits: Sendable {
    /// Milliseconds between two requests.
    let pause: Int
    let pages: Int
    /// Bytes of an answer.
    let bytes: Int
    /// Seconds that the source may have it wait at a time.
    let wait: Int
    /// Seconds until an ordered report has to be ready.
    let report: Int
    /// Seconds until all answers have to be there.
    let run: Int
  }

  /// Requests of the pull.
  private var requests: [PullRequest] {
    [request] + [signIn?.request, report?.order, report?.status].compactMap(\.self)
  }

  /// The beginnings of the addresses that get requests, which the document writes out.
  package var addresses: [String] { requests.map(\.url.beginning) }

  var secrets: Set<PullSecret> { requests.reduce(into: []) { $0.formUnion($1.secrets) } }
}

/// How a source is asked for more rows than one answer has.
enum PullPages: Sendable {
  case one
  /// The answer has the address of the next page there.
  case next(String)
  /// The answer has there what `{cursor}` is for the next page.
  case cursor(String)
  /// `{page}` counts; the last page is the one without rows, or the one of the number that is there in an answer.
  case number(first: Int, step: Int, count: String?)
}

/// How a source writes days, in letters of strftime.
struct PullDayFormat: Equatable, Sendable {
  private let pattern: String

  /// - Returns: `nil` for another letter than those of `%Y-%m-%d`.
  init?(_ pattern: String) {
    var isLetter = false
    for letter in pattern {
      if isLetter, !"Ymds%".contains(letter) { return nil }
      isLetter = !isLetter && letter == "%"
    }
    guard !isLetter, pattern.contains("%") else { return nil }
    self.pattern = pattern
  }

  func text(_ day: Day) -> String {
    let parts = "\(day)".split(separator: "-")
    var text = ""
    var isLetter = false
    for letter in pattern {
      guard isLetter else {
        isLetter = letter == "%"
        if !isLetter { text.append(letter) }
        continue
      }
      isLetter = false
      switch letter {
      case "Y": text += parts.first ?? ""
      case "m": text += parts.dropFirst().first ?? ""
      case "d": text += parts.last ?? ""
      case "s": text += "\(day.start.seconds)"
      default: text.append(letter)
      }
    }
    return text
  }
}
