package import Ledger
import Postbacks
package import Tables
import Values

/// How reports show a dimension, and what their conditions can name of it.
struct DimensionTerms {
  /// What conditions can name besides patterns.
  enum Accepted {
    case any
    /// All words of the dimension, in lower case.
    case words([String])
    case form(Sentence, holds: (String) -> Bool)
  }

  let column: Column<CampaignReport.Row>
  /// What rows have beside it.
  let other: Column<CampaignReport.Row>?
  let accepted: Accepted

  var columns: [Column<CampaignReport.Row>] { [column] + (other.map { [$0] } ?? []) }
}

extension CampaignDimension {
  var terms: DimensionTerms {
    switch self {
    case .day:
      terms(
        "Day of arrival, UTC unless a time zone is chosen.", \.day,
        .form(Sentence("a day such as 2026-11-21, or a pattern such as 2026-11-*")) { Day($0) != nil })
    case .week:
      terms(
        "Monday of the ISO week of arrival.", \.day,
        .form(Sentence("the Monday of a week, such as 2026-11-16")) {
          Day($0).map { $0 == $0.monday } ?? false
        })
    case .month:
      terms(
        "Month of arrival.", \.word, .form(Sentence("a month such as 2026-11")) { Day($0 + "-01") != nil })
    case .app:
      terms(
        "App Store number of the advertised app.", \.identifier,
        .form(Sentence("an App Store number"), holds: Self.isNumber))
    case .network:
      terms(
        "Ad network.", \.identifier,
        beside: Column(
          "network-name", "network name", "Imported name of the network, or its built-in one.",
          shown: .onRequest
        ) { $0.networkName }.needing(.names))
    case .campaign:
      terms(
        "Campaign's digits.", \.identifier,
        .form(Sentence("the digits of a campaign, or a pattern such as 52*"), holds: Self.isNumber),
        beside: Column(
          "campaign-kind", "kind", "Numbering of the campaign: campaign-id or source-identifier.",
          shown: .onRequestForPrograms
        ) { $0.found { $0.campaign?.kind } })
    case .version: terms("Version of the protocol.", \.word, .words(ProtocolVersion.allCases.map(\.rawValue)))
    case .window:
      terms(
        "Conversion window, 1 to 3.", \.number, .words(ConversionWindow.allCases.map { "\($0.rawValue + 1)" })
      )
    case .outcome:
      terms(
        "What happened: install, redownload, re-engagement, assist or other.", \.word,
        .words(Outcome.allCases.map(\.rawValue)))
    case .interaction:
      terms(
        "Whether the ad was seen (view) or acted upon (click).", \.word,
        .words(AdInteraction.allCases.map(\.rawValue) + [Self.none]))
    case .publisher: terms("App Store number or domain of the app or page with the ad.", \.identifier)
    case .country:
      terms(
        "Country as two letters, or other; not signed by Apple.", \.word,
        .form(Sentence("two letters such as US, \(code: Country.other) or \(code: Self.none)")) {
          [Country.other, Self.none].contains($0.lowercased())
            || Country.word(for: $0.uppercased()) != Country.other
        })
    case .marketplace: terms("Marketplace that the app came from.", \.identifier)
    case .tier:
      terms(
        "Apple's postback data tier, inferred from the fields that came.", \.number,
        .words(PostbackTier.allCases.map(\.text) + [Self.none]))
    }
  }

  private func terms<Value: CellValue>(
    _ help: Sentence.Words, _ cell: @escaping @Sendable (DimensionValue) -> Value?,
    _ accepted: DimensionTerms.Accepted = .any, beside other: Column<CampaignReport.Row>? = nil
  ) -> DimensionTerms {
    let own = Column<CampaignReport.Row>(
      rawValue, .init(stringLiteral: rawValue), help, shown: .onRequest
    ) { line in line.found { $0[self] }.flatMap(cell) }
    return DimensionTerms(column: own, other: other, accepted: accepted)
  }

  private static func isNumber(_ text: String) -> Bool { Int64(text).map { $0 >= 0 } ?? false }
}

extension DimensionValue {
  fileprivate var word: String? { text }
  fileprivate var identifier: Identifier? { Identifier(text) }
  fileprivate var day: Day? { if case .day(let day) = self { day } else { nil } }
  fileprivate var number: Int? {
    switch self {
    case .number(let number): number
    case .window(let window): window.rawValue + 1
    default: nil
    }
  }
}

extension CampaignReport {
  /// The column of a dimension.
  package static func column(of dimension: CampaignDimension) -> Column<Row> { dimension.terms.column }
}
