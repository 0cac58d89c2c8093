import Ledger
import Postbacks
import Tables
import Values

struct CampaignMeasure: Sendable {
  let name: String
  let title: Sentence.Words
  let help: Sentence.Words
  /// Whether the table for people has it even where it is zero in all rows.
  let isAlwaysShown: Bool
  let value: @Sendable (CampaignCounts) -> Int64

  init(
    _ name: String, _ title: Sentence.Words, _ help: Sentence.Words, always: Bool = false,
    _ value: @escaping @Sendable (CampaignCounts) -> Int64
  ) {
    self.name = name
    self.title = title
    self.help = help
    isAlwaysShown = always
    self.value = value
  }

  /// Those that every row has.
  static let all = [
    postbacks, installs, redownloads, reengagements, assists, otherConversions, views, clicks, withheld, zero,
    positive, coarseWithheld, coarseLow, coarseMedium, coarseHigh, impossible,
  ]
  static let postbacks = Self(
    "postbacks", "postbacks", "Conversions of every window and outcome.", always: true
  ) { $0.postbacks }
  static let installs = Self(
    "installs", "installs", "Winning first installs, by first-window postbacks.", always: true
  ) { $0.installs }
  static let redownloads = Self(
    "redownloads", "redownl.", "Winning repeated installs, by first-window postbacks."
  ) { $0.redownloads }
  static let reengagements = Self(
    "re-engagements", "re-eng.", "Winning re-engagements, by first-window postbacks."
  ) { $0.reengagements }
  static let assists = Self("assists", "assists", "Postbacks that did not win.") { $0.assists }
  private static let otherConversions = Self(
    "other-conversions", "other", "Winning first-window postbacks of an unknown conversion type."
  ) { $0.others }
  static let views = Self("views", "views", "Postbacks of ads that were only seen.") { $0.views }
  private static let clicks = Self("clicks", "clicks", "Postbacks of ads that were acted upon.") { $0.clicks }
  static let withheld = Self(
    "values-null", "withheld", "Winning postbacks without a value.", always: true
  ) { $0.valueNull }
  static let zero = Self("values-zero", "zero", "Winning postbacks with fine value 0.", always: true) {
    $0.fineZero
  }
  static let positive = Self(
    "values-positive", "1–63", "Winning postbacks with a fine value of 1 to 63.", always: true
  ) { $0.finePositive }
  private static let coarseWithheld = Self(
    "coarse-null", "coarse withheld", "Those without a value whose version knows coarse values."
  ) { $0.coarseNull }
  static let coarseLow = Self("coarse-low", "low", "Winning postbacks with the coarse value low.") {
    $0.coarse(.low)
  }
  static let coarseMedium = Self(
    "coarse-medium", "medium", "Winning postbacks with the coarse value medium."
  ) { $0.coarse(.medium) }
  static let coarseHigh = Self("coarse-high", "high", "Winning postbacks with the coarse value high.") {
    $0.coarse(.high)
  }
  private static let impossible = Self(
    "values-rejected", "impossible", "Winning postbacks whose value Apple's rules make impossible."
  ) { $0.valueRejected }
}

extension CampaignMeasure {
  private var presence: Header.Presence { isAlwaysShown ? .always : .whereUseful }

  var column: Column<CampaignTable.Line> {
    Column(name, title, help, shown: presence) { value($0.counts) }
  }

  /// The columns of all of them, which a row gives in less time than one by one.
  static let columns = Column<CampaignTable.Line>.counts(
    all.map { ($0.name, $0.title, $0.help, $0.presence) }
  ) { line, numbers in
    let counts = line.figures.counts
    for measure in all { numbers.append(measure.value(counts)) }
  }
}
