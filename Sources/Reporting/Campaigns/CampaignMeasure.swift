import Ledger
import Postbacks
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
  static let all: [CampaignMeasure] = [
    CampaignMeasure("postbacks", "postbacks", "Conversions of every window and outcome.", always: true) {
      $0.postbacks
    },
    CampaignMeasure(
      "installs", "installs", "Winning first installs, by first-window postbacks.", always: true
    ) {
      $0.installs
    },
    CampaignMeasure("redownloads", "redownl.", "Winning repeated installs, by first-window postbacks.") {
      $0.redownloads
    },
    CampaignMeasure("re-engagements", "re-eng.", "Winning re-engagements, by first-window postbacks.") {
      $0.reengagements
    },
    CampaignMeasure("assists", "assists", "Postbacks that did not win.") { $0.assists },
    CampaignMeasure(
      "other-conversions", "other", "Winning first-window postbacks of an unknown conversion type."
    ) {
      $0.others
    },
    CampaignMeasure("views", "views", "Postbacks of ads that were only seen.") { $0.views },
    CampaignMeasure("clicks", "clicks", "Postbacks of ads that were acted upon.") { $0.clicks },
    CampaignMeasure("values-null", "withheld", "Winning postbacks without a value.", always: true) {
      $0.valueNull
    },
    CampaignMeasure("values-zero", "zero", "Winning postbacks with fine value 0.", always: true) {
      $0.fineZero
    },
    CampaignMeasure(
      "values-positive", "1–63", "Winning postbacks with a fine value of 1 to 63.", always: true
    ) {
      $0.finePositive
    },
    CampaignMeasure(
      "coarse-null", "coarse withheld", "Those without a value whose version knows coarse values."
    ) { $0.coarseNull },
    CampaignMeasure("coarse-low", "low", "Winning postbacks with the coarse value low.") { $0.coarse(.low) },
    CampaignMeasure("coarse-medium", "medium", "Winning postbacks with the coarse value medium.") {
      $0.coarse(.medium)
    },
    CampaignMeasure("coarse-high", "high", "Winning postbacks with the coarse value high.") {
      $0.coarse(.high)
    },
    CampaignMeasure(
      "values-rejected", "impossible", "Winning postbacks whose value Apple's rules make impossible."
    ) {
      $0.valueRejected
    },
  ]
}
