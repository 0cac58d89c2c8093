import Ledger
import Mappings
import Postbacks
import Values

extension CampaignTable {
  /// What a reader has to know of the rows, or why there are none.
  var notes: [Sentence] {
    query.environment.notes + (rows.isEmpty ? emptyNotes : coverageNotes + decodingNotes + spendingNotes)
      + rejectionNotes
  }

  func notes(comparedWith earlier: CampaignTable) -> [Sentence] {
    guard let from = earlier.query.from, let to = earlier.query.to else { return [] }
    return [
      Sentence(
        "compared with \(to.number - from.number) days from \(from) up to \(to)"
          + "; rows that only those days have come last and have no change")
    ]
  }

  private var coverageNotes: [Sentence] {
    let names: [CampaignDimension] = [.publisher, .country, .marketplace, .interaction]
    var notes = names.compactMap { dimension -> Sentence? in
      guard let found = coverage[dimension], found.carrying < found.postbacks else { return nil }
      return Sentence(
        "\(Sentence(.init(stringLiteral: dimension.rawValue))) is in \(grouped: found.carrying) of \(grouped: found.postbacks) postbacks"
          + " (\(number: percent(found.carrying, of: found.postbacks)) %)"
          + "; the others count as '\(code: CampaignDimension.none)'")
    }
    if query.looksAtPostbacks {
      notes.append(Sentence("copies and conflicts are counted by campaign and UTC day only"))
    }
    return notes
  }

  private var decodingNotes: [Sentence] {
    let total = totalTally
    var notes: [Sentence] = []
    if total.unmapped > 0 {
      notes.append(
        Sentence(
          "\(grouped: total.unmapped) values are in no rule of the mapping: other code, such as another SDK, sets values"
        )
      )
    }
    if total.mixed > 0 {
      notes.append(
        Sentence(
          "\(grouped: total.mixed) came close to a change of the mapping and have a value that it has before and after; "
            + "their money is the mean of both, weighted by Apple's timers and a steady rate of installs"
        ).onPages(
          Sentence(
            "\(grouped: total.mixed) came close to a change of the mapping: their money is the mean of both versions"
          )))
    }
    if total.newest > 0 {
      notes.append(
        Sentence(
          "\(grouped: total.newest) are decoded by the newest mapping that their test device can have followed; an earlier "
            + "one is possible too, because Developer Mode can be off"))
    }
    if total.notAdded > 0 {
      notes.append(
        Sentence(
          "money and events of \(grouped: total.notAdded) later windows are not added, because their mapping counts since "
            + "install, so that the first window's are in them; rows by window show them, totals and sums leave them out"
        )
      )
    }
    if total.undated > 0, total.decoded > 0 {
      notes.append(Sentence("\(grouped: total.undated) values came while no mapping was in force"))
    }
    notes += unreadableMappings.map { Sentence("the mapping '\(name: $0)' cannot be read; load it again") }
    if total.money.values.contains(where: \.didSaturate) || spending.total.values.contains(where: \.isHeld) {
      notes.append(Amount.noteOfHeld)
    }
    if total.decoded > 0, self.total.valueNull > 0 {
      notes.append(
        Sentence(
          "\(grouped: self.total.valueNull) postbacks without a value count as nothing in revenue, revenue per install and ROAS; "
            + "`skan report estimates` estimates them"
        ).onPages(
          Sentence(
            "\(grouped: self.total.valueNull) postbacks without a value count as nothing here; the page Campaigns estimates them"
          )))
    }
    if tallies.contains(where: { $0.money.values.contains { $0.openEnded > 0 } }) {
      notes.append(Sentence("revenue high and ROAS high are empty where a value has no upper limit"))
    }
    return notes
  }

  private var spendingNotes: [Sentence] {
    var notes: [Sentence] = []
    if !spending.unmatched.isEmpty {
      notes.append(
        Sentence("unmatched-spend belongs to no row or to several, and is in the total alone")
          .onPages(
            Sentence(
              "spend that fits no row or several is in the totals alone: correct its names on the page Data in"
            )))
    }
    if spending.deliveries.contains(where: { $0.parts.count > 1 }) || spending.total.count > 1 {
      notes.append(Sentence("spend is in several currencies; choose one to get eCPI and ROAS"))
    }
    if !query.zone.isUTC, !spending.total.isEmpty,
      query.from != nil || query.to != nil
        || query.dimensions.contains(where: { [.day, .week, .month].contains($0) })
    {
      notes.append(
        Sentence(
          "spend is of UTC days, and rows are of days by \(name: query.zone.name): eCPI and ROAS compare days that begin at "
            + "other moments"))
    }
    if partlyPaidRows > 0, query.dimensions.allSatisfy(\.isOfSpend) {
      notes.append(
        Sentence(
          "of \(partlyPaidRows, "row"), spend is not known of every day on which postbacks arrived: eCPI and ROAS compare it "
            + "with all of them; `skan report estimates` compares the install dates that have both"
        ).onPages(
          Sentence("some rows have days without spend: the page Campaigns compares the days that have it")))
    }
    if spending.isLeftOut {
      let unknown = query.conditions.map(\.dimension).filter { !$0.isOfSpend }.map(\.rawValue)
      notes.append(
        Sentence(
          "spend is left out, because it is not known by \(Sentence.either(unknown.map { Sentence(name: $0) }))"
        ))
    }
    if isSpendElsewhere {
      notes.append(
        .joined(
          [
            Sentence("there is spend of another environment only; import spend for the environment"),
            Sentence(name: query.environment.rawValue),
          ], by: " "))
    }
    return notes
  }

  private var emptyNotes: [Sentence] {
    let networks = Sentence.joined(query.networks.map { Sentence(name: $0.canonical) }, by: ", ")
    let apps = Sentence.joined(query.apps.map { Sentence(name: "\($0.number)") }, by: ", ")
    var heading = [Sentence("no \(code: query.environment.rawValue) postbacks")]
    if !query.networks.isEmpty { heading.append(Sentence("of \(networks)")) }
    if !query.apps.isEmpty { heading.append(Sentence("for \(apps)")) }
    if query.from != nil || query.to != nil { heading.append(Sentence("in these days")) }
    if !query.conditions.isEmpty || !naming.conditions.isEmpty {
      heading.append(Sentence("meet the conditions"))
    }
    return [.joined(heading, by: " ")] + alternatives.sentences(to: query)
  }

  private var rejectionNotes: [Sentence] {
    guard !rejections.isEmpty else { return [] }
    return (query.zone.isUTC ? [] : [Sentence("not-counted is by UTC day")])
      + (query.apps.isEmpty && query.networks.isEmpty
        ? [] : [Sentence("not-counted is by what kept bodies claim")])
  }
}
