package import Campaigns
package import Intake
package import Ledger
package import Values

package enum NameImport: ReferenceImport {
  package typealias Listed = NameRows
  package typealias Choice = NoChoice
  package static let profileKind = ImportProfile.Kind.names

  package static func unmatched(
    _ rows: GatheredRows<CampaignNameRow>, _ choice: NoChoice, _ reader: LedgerReader
  ) throws -> [Unmatched] {
    try ImportCheck(reader).unmatched(rows) { $0.collect($1, in: &$2) }
  }

  /// Which of the imported names leave a doubt, beside each other or beside one that was there.
  package static func warnings(
    _ rows: GatheredRows<CampaignNameRow>, _ stored: () throws -> [CampaignNameRow], _ reader: LedgerReader
  ) throws -> [Sentence] {
    var keys: Set<String> = []
    try rows.forEachChunk { keys.formUnion($0.map(NameRows.key)) }
    let all = try stored().sorted {
      ($0.network, $0.campaign, $0.app ?? 0, $0.from) < ($1.network, $1.campaign, $1.app ?? 0, $1.from)
    }
    return CampaignNames.doubts(all).filter { pair in
      [pair.short, pair.long].contains { keys.contains(NameRows.key($0)) }
    }.map { short, long -> Sentence in
      let doubt = Sentence(
        "\(described(short)) and \(described(long)) of \(name: short.network): postbacks with \(code: short.campaign) can be of either, so reports mark them as ambiguous"
      )
      let hasUnnamedApp = short.app == nil || long.app == nil
      return .joined(
        [doubt] + (hasUnnamedApp ? [Sentence("name the apps in the column app if they differ")] : []),
        by: "; ")
    }
  }

  private static func described(_ row: CampaignNameRow) -> Sentence {
    let campaign =
      row.app.map { Sentence("\(code: row.campaign) of app \(code: $0)") } ?? Sentence(name: row.campaign)
    let days = row.to.map { Sentence("from \(row.from) to \($0)") } ?? Sentence("from \(row.from)")
    return Sentence("\(campaign) '\(name: row.name)' (\(days))")
  }
}
