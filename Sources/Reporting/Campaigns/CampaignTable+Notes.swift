import Ledger
import Mappings
import Postbacks
import Values

extension CampaignTable {
  /// What a reader has to know of the rows, or why there are none.
  var notes: [String] {
    query.environment.notes + (rows.isEmpty ? emptyNotes : coverageNotes + decodingNotes + spendingNotes)
      + rejectionNotes
  }

  func notes(comparedWith earlier: CampaignTable) -> [String] {
    guard let from = earlier.query.from, let to = earlier.query.to else { return [] }
    return [
      "compared with \(to.number - from.number) days from \(from) up to \(to)"
        + "; rows that only those days have come last and have no change"
    ]
  }

  private var coverageNotes: [String] {
    let names: [CampaignDimension] = [.publisher, .country, .marketplace, .interaction]
    var notes = names.compactMap { dimension -> String? in
      guard let found = coverage[dimension], found.carrying < found.postbacks else { return nil }
      return
        "\(dimension.rawValue) is in \(grouped(found.carrying)) of \(grouped(found.postbacks)) postbacks"
        + " (\(percent(found.carrying, of: found.postbacks)) %)"
        + "; the others count as '\(CampaignDimension.none)'"
    }
    if query.looksAtPostbacks {
      notes.append("copies and conflicts are counted by campaign and UTC day only")
    }
    return notes
  }

  private var decodingNotes: [String] {
    let total = totalTally
    var notes: [String] = []
    if total.unmapped > 0 {
      notes.append(
        "\(grouped(total.unmapped)) values are in no rule of the mapping: other code, such as another SDK, sets values"
      )
    }
    if total.mixed > 0 {
      notes.append(
        "\(grouped(total.mixed)) came close to a change of the mapping and have a value that it has before and after; "
          + "their money is the mean of both, weighted by Apple's timers and a steady rate of installs")
    }
    if total.newest > 0 {
      notes.append(
        "\(grouped(total.newest)) are decoded by the newest mapping that their test device can have followed; an earlier "
          + "one is possible too, because Developer Mode can be off")
    }
    if total.notAdded > 0 {
      notes.append(
        "money and events of \(grouped(total.notAdded)) later windows are not added, because their mapping counts since "
          + "install, so that the first window's are in them; rows by window show them, totals and sums leave them out"
      )
    }
    if total.undated > 0, total.decoded > 0 {
      notes.append("\(grouped(total.undated)) values came while no mapping was in force")
    }
    notes += unreadableMappings.map { "the mapping '\(printable($0))' cannot be read; load it again" }
    if total.money.values.contains(where: \.didSaturate) || spending.total.values.contains(where: \.isHeld) {
      notes.append(Amount.noteOfHeld)
    }
    if total.decoded > 0, self.total.valueNull > 0 {
      notes.append(
        "\(grouped(self.total.valueNull)) postbacks without a value count as nothing in revenue, revenue per install and ROAS; "
          + "`skan report estimates` estimates them")
    }
    if tallies.contains(where: { $0.money.values.contains { $0.openEnded > 0 } }) {
      notes.append("revenue high and ROAS high are empty where a value has no upper limit")
    }
    return notes
  }

  private var spendingNotes: [String] {
    var notes: [String] = []
    if !spending.unmatched.isEmpty {
      notes.append("unmatched-spend belongs to no row or to several, and is in the total alone")
    }
    if spending.rows.contains(where: { $0.count > 1 }) || spending.total.count > 1 {
      notes.append("spend is in several currencies; choose one to get eCPI and ROAS")
    }
    if !query.zone.isUTC, !spending.total.isEmpty,
      query.from != nil || query.to != nil
        || query.dimensions.contains(where: { [.day, .week, .month].contains($0) })
    {
      notes.append(
        "spend is of UTC days, and rows are of days by \(query.zone.name): eCPI and ROAS compare days that begin at other "
          + "moments")
    }
    if partlyPaidRows > 0, query.dimensions.allSatisfy(\.isOfSpend) {
      notes.append(
        "of \(counted(partlyPaidRows, "row")), spend is not known of every day on which postbacks arrived: eCPI and ROAS "
          + "compare it with all of them; `skan report estimates` compares the install dates that have both")
    }
    if spending.isLeftOut {
      let unknown = query.conditions.map(\.dimension).filter { !$0.isOfSpend }.map(\.rawValue)
      notes.append("spend is left out, because it is not known by \(unknown.joined(separator: " or "))")
    }
    if isSpendElsewhere {
      notes.append(
        "there is spend of another environment only; import spend for the environment "
          + query.environment.rawValue)
    }
    return notes
  }

  private var emptyNotes: [String] {
    let networks = query.networks.map { printable($0.canonical) }.joined(separator: ", ")
    let apps = query.apps.map { "\($0.number)" }.joined(separator: ", ")
    let heading =
      "no \(query.environment.rawValue) postbacks" + (networks.isEmpty ? "" : " of \(networks)")
      + (apps.isEmpty ? "" : " for \(apps)")
      + (query.from == nil && query.to == nil ? "" : " in these days")
      + (query.conditions.isEmpty && naming.conditions.isEmpty ? "" : " meet the conditions")
    return [heading] + alternatives.sentences(to: query)
  }

  private var rejectionNotes: [String] {
    guard !rejections.isEmpty else { return [] }
    return (query.zone.isUTC ? [] : ["not-counted is by UTC day"])
      + (query.apps.isEmpty && query.networks.isEmpty ? [] : ["not-counted is by what kept bodies claim"])
  }
}
