public import Ledger
import Values

extension ReferenceFile {
  /// Reads what networks report: `date`, `network`, `installs`, and optionally `campaign`, `redownloads`,
  /// `postbacks`, `conversions-with-value`, `revenue` and `currency`.
  ///
  /// - Throws: The first mistake.
  public static func totals(_ bytes: [UInt8]) throws(ReferenceFileError) -> [NetworkTotalRow] {
    var mistakes = ReferenceMistakes(most: 1)
    return try totals(bytes, &mistakes)
  }

  /// Reads totals and goes on after a mistake; rows count only where there is none.
  ///
  /// - Throws: A mistake of the whole file, or one too many.
  public static func totals(_ bytes: [UInt8], _ mistakes: inout ReferenceMistakes)
    throws(ReferenceFileError) -> [NetworkTotalRow]
  {
    struct Key: Hashable {
      let day: Day
      let network: String
      let campaign: String
    }
    var totals: [NetworkTotalRow] = []
    var keys: Set<Key> = []
    let optional = [
      "campaign", "redownloads", "postbacks", "conversions-with-value", "revenue", "currency",
    ]
    for row in try rows(
      bytes, required: ["date", "network", "installs"], optional: optional, mistakes: &mistakes)
    {
      do throws(ReferenceFileError) {
        guard let day = try row.day("date") else { throw row.error("missing-date", "the row has no date") }
        var total = NetworkTotalRow(
          day: day, network: try row.network(), campaign: row.texts["campaign"] ?? "",
          installs: try row.whole("installs", row.required("installs")))
        total.redownloads = try row.whole("redownloads")
        total.postbacks = try row.whole("postbacks")
        total.withValue = try row.whole("conversions-with-value")
        if row.texts["revenue"] != nil {
          total.micros = try row.amount("revenue")
          guard (total.micros ?? 0) >= 0 else {
            throw row.error("negative-revenue", "the revenue is below zero")
          }
          total.currency = try row.currency("currency")
        }
        guard keys.insert(Key(day: day, network: total.network, campaign: total.campaign)).inserted else {
          throw row.error("repeated-row", "another row has the totals of this day, network and campaign")
        }
        totals.append(total)
      } catch {
        try mistakes.take(error)
      }
    }
    return totals
  }
}
