import Ledger
import Mappings
import Postbacks
package import Tables
package import Values

extension AnswerParts {
  /// What imported names call campaigns and networks.
  package static let names = Self(rawValue: 2)
  /// What was paid, and what was delivered for it.
  package static let spend = Self(rawValue: 4)
  /// What the values of postbacks mean.
  package static let meanings = Self(rawValue: 8)
}

extension CampaignReport {
  package static let columns: [Column<Row>] =
    CampaignDimension.allCases.flatMap(\.terms.columns) + names + [sentName] + outline + [others] + figures
    + shares
    + comparison

  package var shownColumns: [Column<Row>] {
    dimensions.flatMap(Self.columns(of:)) + (hasNames ? Self.names : [])
      + (sentNames ? [Self.sentName] : [])
      + (tree ? Self.outline : subtotals ? [Self.subtotal] : [])
      + (top == nil ? [] : [Self.others])
      + Self.figures + (share ? Self.shares : []) + (compare == nil ? [] : Self.comparison)
  }

  package func need(of column: String) -> Sentence? {
    func has(_ columns: [Column<Row>]) -> Bool { columns.contains { $0.header.name == column } }
    if has(Self.names) {
      return dimensions.contains { if case .named = $0 { true } else { false } }
        ? Sentence("--by with \(code: column)")
        : Sentence("--by with network and campaign: digits are a campaign of one network only")
    }
    if column == Self.sentName.header.name { return Sentence(name: "--sent-names") }
    if has(Self.outline) {
      let tree = Sentence(name: "--tree")
      return column == Self.subtotal.name ? .either([tree, Sentence(name: "--subtotals")]) : tree
    }
    if column == Self.others.header.name { return Sentence(name: "--top") }
    if has(Self.shares) { return Sentence(name: "--share") }
    if has(Self.comparison) { return Sentence(name: "--compare") }
    return CampaignDimension.allCases.first { has($0.terms.columns) }.map {
      Sentence("--by with \(code: $0.rawValue)")
    }
  }

  /// Whether rows are of single campaigns, which imported names can be beside.
  var hasNames: Bool {
    dimensions.contains(.stored(.campaign)) && dimensions.contains(.stored(.network))
      && !dimensions.contains { if case .named = $0 { true } else { false } }
  }

  private static let sentName = Column<Row>(
    "sent-name", "sent name (unsigned)",
    "Only name that networks sent beside the newest postbacks of the campaign, where no imported name fits its digits; no "
      + "signature covers it.", shown: .onRequest
  ) { $0.sentName }.needing(.names)

  private static let others = Column<Row>(
    "others", "others", "Number of rows that the last row adds up; none for all other rows.",
    shown: .onRequest
  ) { $0.summed }

  private static let outline: [Column<Row>] = [
    Column(
      "level", "level",
      "Which conversions the row has: network, 2-digits, 3-digits or 4-digits; 2-digits-only or 3-digits-only for those "
        + "that arrived with no more; campaign-id.", shown: .onRequest
    ) { $0.outline?.level?.rawValue },
    subtotal,
    Column("key", "key", "What distinguishes the row from all others.", shown: .onRequestForPrograms) {
      $0.outline?.key
    },
    Column(
      "parent", "parent", "Key of the row that it is a part of; none for the outermost rows.",
      shown: .onRequestForPrograms
    ) { $0.outline?.parent },
  ]
  private static let subtotal = Column<Row>(
    "subtotal", "subtotal", "Whether the row adds up other rows, so that it must not be added to them.",
    shown: .onRequest
  ) { $0.outline?.isSum }

  private static let figures =
    counts + values + (decoded + revenue).map { $0.needing(.meanings) }
    + advertising.map { $0.needing(.spend) }

  private static func columns(of dimension: ReportDimension) -> [Column<Row>] {
    switch dimension {
    case .stored(let dimension): dimension.terms.columns
    case .named(let dimension): [column(of: dimension)]
    }
  }

  private static func column(of dimension: NameDimension) -> Column<Row> {
    switch dimension {
    case .name: campaignName
    case .adSet: adSet
    case .creative: creative
    case .country: namedCountry
    }
  }

  private static let names = [campaignName, nameCandidates, adSet, creative, namedCountry].map {
    $0.needing(.names)
  }
  package static let campaignName = Column<Row>(
    "name", "name", "Name of the campaign, where its digits leave no doubt.", shown: .onRequest
  ) { $0.called(.name) }
  package static let nameCandidates = Column<Row>(
    "name-candidates", "names that fit", "Names that the digits can stand for, where there are several.",
    shown: .onRequest, \.name.candidates)
  package static let adSet = Column<Row>(
    "ad-set", "ad set", "Ad set of the named campaign.", shown: .onRequest
  ) { $0.called(.adSet) }
  package static let creative = Column<Row>(
    "creative", "creative", "Creative of the named campaign.", shown: .onRequest
  ) { $0.called(.creative) }
  private static let namedCountry = Column<Row>(
    "named-country", "named country", "Country of the named campaign.", shown: .onRequest
  ) { $0.called(.country) }

  private static let counts = CampaignMeasure.columns + [copies, conflicts, nullShare]
  package static let postbacks = CampaignMeasure.postbacks.column
  package static let installs = CampaignMeasure.installs.column
  package static let redownloads = CampaignMeasure.redownloads.column
  package static let reengagements = CampaignMeasure.reengagements.column
  package static let assists = CampaignMeasure.assists.column
  package static let views = CampaignMeasure.views.column
  package static let withheld = CampaignMeasure.withheld.column
  package static let zero = CampaignMeasure.zero.column
  package static let positive = CampaignMeasure.positive.column
  package static let coarseLow = CampaignMeasure.coarseLow.column
  package static let coarseMedium = CampaignMeasure.coarseMedium.column
  package static let coarseHigh = CampaignMeasure.coarseHigh.column
  package static let copies = Column<Row>(
    "copies", "copies",
    "Further valid copies that agree with the first, each on the day that it arrived itself; none by what copies are "
      + "not counted by.", shown: .whereUseful
  ) { $0.figures.counts.repeats }
  package static let conflicts = Column<Row>(
    "conflicts", "conflicts",
    "Further valid copies that disagree with the first, each on the day that it arrived itself; none by what copies "
      + "are not counted by.", shown: .whereUseful
  ) { $0.figures.counts.conflicts }
  package static let nullShare = Column<Row>(
    "null-share", "withheld %", "Winning postbacks without a value, of all winning ones.", \.nullShare)

  private static let values: [Column<Row>] = Column.counts(
    (0...63).map { ("fine-\($0)", "\($0)", "Winning postbacks with fine value \($0).", .forPrograms) }
  ) { line, numbers in line.figures.counts.fine.append(to: &numbers) }

  private static let decoded: [Column<Row>] = Column.counts([
    ("decoded", "decoded", "Winning postbacks whose value a mapping decodes.", .whereUseful),
    ("decoded-installs", "decoded installs", "Those of the first window.", .forPrograms),
    ("decoded-mixed", "mixed", mixedHelp, .whereUseful),
    ("unmapped", "unmapped", unmappedHelp, .whereUseful),
    ("without-mapping", "without mapping", "Values of a time without a mapping.", .forPrograms),
    (
      "money-not-added", "not added", "Later windows whose money is in the first window's.", .forPrograms
    ),
  ]) { line, numbers in
    let figures = line.figures
    numbers.append(figures.tally.decoded)
    numbers.append(figures.tally.decodedInstalls)
    numbers.append(figures.tally.mixed)
    numbers.append(figures.tally.unmapped)
    numbers.append(figures.tally.undated)
    numbers.append(figures.tally.notAdded)
  }

  private static let mixedHelp: Sentence.Words =
    "Decoded ones that several versions of the mapping can have sent. Where first-party users show of each of them how "
    + "late a value rises last, a version that is 99 % likely counts as the only one."
  private static let unmappedHelp: Sentence.Words =
    "Winning postbacks whose value no version of the mapping has."
  package static let mixed = Column<Row>(
    "decoded-mixed", "mixed", mixedHelp, shown: .whereUseful, \.tally.mixed)
  package static let unmapped = Column<Row>(
    "unmapped", "unmapped", unmappedHelp, shown: .whereUseful, \.tally.unmapped)

  private static func money(
    _ name: String, _ title: Sentence.Words, _ help: Sentence.Words,
    shown presence: Header.Presence = .always,
    _ value: @escaping @Sendable (RevenueTally.Sum, Row) -> Amount?
  ) -> ColumnFamily<Row, CurrencyCode> {
    ColumnFamily(name, title, help, shown: presence, keys: \.table.currencies) { line, currency in
      line.figures.revenue(currency).flatMap { value($0, line) }
    }
  }

  package static let revenueLow = money(
    "revenue-low-{}", "{} low",
    "Least revenue of the values shown, if the mapping's ranges hold; withheld values count as nothing."
  ) { sum, _ in sum.low }
  package static let revenueMid = money(
    "revenue-mid-{}", "{}", "Revenue that the values shown stand for; withheld values count as nothing."
  ) { sum, _ in sum.representative }
  package static let revenueHigh = money(
    "revenue-high-{}", "{} high",
    "Most revenue of the values shown, if the mapping's ranges hold; none where a value has no upper limit."
  ) { sum, _ in sum.limitedHigh }
  package static let revenuePerInstall = money(
    "revenue-per-install-{}", "{} per install",
    "Revenue for each install of any kind; installs with a withheld value count as nothing."
  ) { sum, line in sum.representative.each(of: line.counts.installsOfAnyKind) }
  private static let revenue: [Column<Row>] = [
    revenueLow.column, revenueMid.column, revenueHigh.column,
    money("revenue-mixed-{}", "{} mixed", "Part of it expected over several versions.", shown: .forPrograms) {
      sum, _ in sum.mixed
    }.column,
    revenuePerInstall.column,
    money(
      "revenue-per-decoded-install-{}", "{} per decoded", "Revenue for each decoded install.",
      shown: .forPrograms
    ) { sum, line in sum.representative.each(of: line.tally.decodedInstalls) }.column,
    .each(
      "revenue-without-limit-{}", "{} without limit", "Postbacks whose value has no upper limit.",
      shown: .forPrograms, keys: \.table.currencies
    ) { $0.figures.revenue($1)?.openEnded },
    .each(
      "revenue-saturated-{}", "{} saturated", "Whether a sum does not fit and is the largest amount instead.",
      shown: .forPrograms, keys: \.table.currencies
    ) { $0.figures.revenue($1)?.didSaturate },
    .each("event-{}", "{}", "Users who did the event; expected ones can be fractions.", keys: \.table.events)
    {
      line, event in ExpectedCount(micros: line.tally.events[event] ?? 0)
    },
  ]

  private static func paid(
    _ name: String, _ title: Sentence.Words, _ help: Sentence.Words,
    shown presence: Header.Presence = .always,
    _ value: @escaping @Sendable (Efficiency) -> Amount?
  ) -> ColumnFamily<Row, CurrencyCode> {
    ColumnFamily(name, title, help, shown: presence, keys: \.table.spending.currencies) { line, currency in
      line.figures.efficiency(currency).flatMap(value)
    }
  }

  package static let spend = paid("spend-{}", "spend {}", "What was paid.") { $0.spend }
  package static let costPerInstall = paid(
    "ecpi-{}", "eCPI {}", "Spend for each winning first install."
  ) { $0.costPerInstall }
  package static let returns = paid(
    "roas-mid-{}", "ROAS {}", "Revenue of the values shown by spend; withheld ones count as nothing."
  ) { $0.representative }

  private static let advertising: [Column<Row>] = [
    Column(
      "ad-impressions", "ad impressions", "Impressions in the imported spend, as networks count them.",
      shown: .whereUseful
    ) { $0.figures.delivery.count(\.impressions) },
    Column(
      "ad-clicks", "ad clicks", "Clicks in the imported spend, as networks count them.", shown: .whereUseful
    ) { $0.figures.delivery.count(\.clicks) },
    Column("ctr", "CTR", "Clicks by impressions, of the spend that has both.", shown: .whereUseful) {
      $0.figures.delivery.clickRate.flatMap { Share($0.clicks, of: $0.impressions) }
    },
    spend.column,
    paid(
      "cpm-{}", "CPM {}", "Spend for a thousand impressions, of the spend that has them.", shown: .whereUseful
    ) { $0.costPerMille }.column,
    paid("cpc-{}", "CPC {}", "Spend for a click, of the spend that has clicks.", shown: .whereUseful) {
      $0.costPerClick
    }.column,
    costPerInstall.column,
    paid("roas-low-{}", "ROAS low {}", "Least revenue of the values shown by spend.") { $0.low }.column
      .needing(.meanings),
    returns.column.needing(.meanings),
    paid(
      "roas-high-{}", "ROAS high {}",
      "Most revenue of the values shown by spend; none where a value has no upper limit."
    ) { $0.high }.column.needing(.meanings),
  ]
}
