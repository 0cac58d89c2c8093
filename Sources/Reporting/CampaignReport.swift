import JSONText
public import Ledger
import Platform
import Postbacks
import Verification

/// The campaign table: what arrived, by campaign.
public struct CampaignReport: Sendable {
  /// The question.
  public let query: CampaignQuery
  /// The answer's rows.
  public let rows: [CampaignRow]
  /// What was not believed in the same days, whatever its campaign claims to be.
  public let refusals: [RefusalCount]

  /// Asks a ledger.
  ///
  /// - Throws: ``LedgerError``.
  public init(_ query: CampaignQuery, from reader: LedgerReader) throws(LedgerError) {
    self.query = query
    rows = try reader.campaigns(query)
    refusals = try reader.refusals(from: query.from, to: query.to)
  }

  /// All rows together.
  var total: CampaignCounts { rows.reduce(.zero) { $0 + $1.counts } }
}

/// A count that a campaign report shows, with its names for machines and for people.
struct CampaignMeasure {
  let name: String
  let title: String
  /// Whether the table for people shows it even where it is zero in all rows.
  let isAlwaysShown: Bool
  let value: @Sendable (CampaignCounts) -> Int64

  init(
    _ name: String, _ title: String, always: Bool = false,
    _ value: @escaping @Sendable (CampaignCounts) -> Int64
  ) {
    self.name = name
    self.title = title
    isAlwaysShown = always
    self.value = value
  }

  static let all: [CampaignMeasure] = [
    CampaignMeasure("postbacks", "postbacks", always: true) { $0.postbacks },
    CampaignMeasure("installs", "installs", always: true) { $0.installs },
    CampaignMeasure("redownloads", "redownl.") { $0.redownloads },
    CampaignMeasure("re-engagements", "re-eng.") { $0.reengagements },
    CampaignMeasure("assists", "assists") { $0.assists },
    CampaignMeasure("other-conversions", "other") { $0.others },
    CampaignMeasure("views", "views") { $0.views },
    CampaignMeasure("clicks", "clicks") { $0.clicks },
    CampaignMeasure("values-null", "null", always: true) { $0.valueNull },
    CampaignMeasure("values-zero", "zero", always: true) { $0.fineZero },
    CampaignMeasure("values-positive", "1–63", always: true) { $0.finePositive },
    CampaignMeasure("coarse-null", "coarse null") { $0.coarseNull },
    CampaignMeasure("coarse-low", "low") { $0.coarse(.low) },
    CampaignMeasure("coarse-medium", "medium") { $0.coarse(.medium) },
    CampaignMeasure("coarse-high", "high") { $0.coarse(.high) },
    CampaignMeasure("values-refused", "impossible") { $0.valueRefused },
    CampaignMeasure("copies", "copies") { $0.repeats },
    CampaignMeasure("conflicts", "conflicts") { $0.conflicts },
  ]
}

extension CampaignRow {
  /// The value of a dimension, as text for a table.
  func text(_ dimension: CampaignDimension) -> String {
    switch dimension {
    case .day: day.map { "\($0)" } ?? ""
    case .app: app.map { "\($0.number)" } ?? ""
    case .network: network ?? ""
    case .campaign: campaign?.text ?? ""
    case .version: version?.rawValue ?? ""
    case .window: window.map { "\($0.rawValue)" } ?? ""
    }
  }

  /// The members of a row that tell it apart.
  func members(_ dimension: CampaignDimension) -> [JSONOutput.Member] {
    switch dimension {
    case .app: [.init("app", app.map { .integer($0.number) } ?? .null)]
    case .window: [.init("window", window.map { .integer(Int64($0.rawValue)) } ?? .null)]
    case .campaign:
      [
        .init("campaign", .optional(campaign?.text)),
        .init(
          "campaign-kind",
          .optional(
            campaign.map { campaign in
              if case .campaignID = campaign { "campaign-id" } else { "source-identifier" }
            })),
      ]
    case .day, .network, .version: [.init(dimension.rawValue, .string(text(dimension)))]
    }
  }
}
