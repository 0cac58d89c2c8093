package import Campaigns
package import Intake
package import Ledger
import Values

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
  ) throws -> [String] {
    var keys: Set<String> = []
    try rows.forEachChunk { keys.formUnion($0.map(NameRows.key)) }
    let all = try stored().sorted {
      ($0.network, $0.campaign, $0.app ?? 0, $0.from) < ($1.network, $1.campaign, $1.app ?? 0, $1.from)
    }
    return CampaignNames.doubts(all).filter { pair in
      [pair.short, pair.long].contains { keys.contains(NameRows.key($0)) }
    }.map { short, long in
      "\(described(short)) and \(described(long)) of \(printable(short.network)): postbacks "
        + "with \(short.campaign) can be of either, so reports mark them as ambiguous"
        + (short.app == nil || long.app == nil ? "; name the apps in the column app if they differ" : "")
    }
  }

  private static func described(_ row: CampaignNameRow) -> String {
    "\(row.campaign)\(row.app.map { " of app \($0)" } ?? "") '\(printable(row.name))' (from \(row.from)\(row.to.map { " to \($0)" } ?? ""))"
  }
}
