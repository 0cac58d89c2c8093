package import Arguments
package import Campaigns
import Estimates
import Postbacks
package import Tables
import Values

extension NullReport: Report {
  package static let name = "nulls"
  package static let summary =
    "Print how many values are withheld, where that changed, and from which size on Apple shows them."
  package static let discussion = [
    "A row is a campaign, or a campaign and UTC day of arrival. The share of nulls has a 90 % interval (Wilson). The "
      + "table `changes` has the days on which a campaign's share changed and stayed changed; a change needs at least 12 days of "
      + "arrival.",
    "The table `evidence` has what all campaigns together show of Apple's rule: the threshold, inferred from the "
      + "campaigns' own days of arrival for the delays of SKAdNetwork 4, and the fewest users that a value was shown for. Values shown for single users "
      + "refute a rule that withholds rare values. Users of a week arrive in eight days: a value counts as often as it was shown in some eight days about it.",
    "Coarse values, zeroes, unmapped values and non-winning postbacks are counted apart: none of them is a null.",
  ]
  package static let examples: [Command.Example] = [
    .init("Print nulls by campaign", "skan report nulls -d skan.db"),
    .init(
      "Print nulls day by day", "skan report nulls -d skan.db --by day --network example123.skadnetwork"),
  ]
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + Parameter.all(of: \.scope) + [
      .init("by", \.breakdown, "What one row is about; `day` is a campaign and day."),
      .init(
        "digits", \.digits,
        "Last digits of a source identifier that distinguish campaigns; nulls always have two.", in: 2...4),
      .init("null-is-zero", \.nullIsZero, "Ad networks that report a withheld value as 0."),
      .init("seed", \.seed, "Random seed.", in: 0...(.max)),
    ]

  private static func ofCampaign<Outer>(
    _ campaign: @escaping @Sendable (Outer) -> EstimatedCampaign,
    _ name: @escaping @Sendable (Outer) -> CampaignNames.Match
  ) -> [Column<Outer>] {
    EstimatedCampaign.columns.map { $0.of(campaign) } + CampaignNames.Match.columns.map { $0.of(name) }
  }

  package static let app = EstimatedCampaign.appColumn.of(\Row.campaign)
  package static let network = EstimatedCampaign.networkColumn.of(\Row.campaign)
  package static let campaign = EstimatedCampaign.digitsColumn.of(\Row.campaign)
  package static let campaignName = CampaignNames.Match.nameColumn.of(\Row.name)
  package static let nameCandidates = CampaignNames.Match.candidatesColumn.of(\Row.name)
  package static let postbacks = Column<Row>(
    "postbacks", "postbacks", "Winning postbacks of the first window.", \.postbacks)
  package static let nulls = Column<Row>(
    "nulls", "withheld", "Those of them without any value: withheld, or never set by the app.", \.nulls)
  package static let nullShare = Column<Row>(
    "null-share", "withheld share", "Withheld values among the postbacks.", \.nullShare)
  package static let coarse = Column<Row>("coarse", "coarse", "Postbacks with a coarse value.", \.coarse)
  package static let zeroes = Column<Row>("zeroes", "zero", "Postbacks with the value 0.", \.zeroes)
  package static let unmapped = Column<Row>(
    "unmapped", "unmapped", "Postbacks with a value that the mapping does not have.", \.unmapped)

  package static let columns: [Column<Row>] =
    ofCampaign(\.campaign, \.name) + [
      Column("day", "day", "UTC day of arrival.", shown: .onRequest, \.day),
      postbacks, nulls, nullShare,
      Column(
        "null-share", "90 % interval", "The 90 % interval of the share of withheld values.",
        \.nullShareInterval),
      coarse, zeroes, unmapped,
      Column(
        "drift-probability", "drift p",
        "How likely so large a change of the mix of values from the first half of the days to the second is by chance.",
        shown: .whereUseful
      ) { row in
        row.drift.map { Ratio($0) }
      },
    ]

  package var shownColumns: [Column<Row>] {
    Self.columns.filter { breakdown == .day || $0.header.presence != .onRequest }
  }

  package static let changes = Detail<Change>(
    "changes",
    ofCampaign(\.campaign, \.name) + [
      Column("day", "day", "First UTC day of the new share.", \.day),
      Column("share-before", "share before", "Share of nulls before that day.", \.shareBefore),
      Column("share-after", "share after", "Share of nulls from that day on.", \.shareAfter),
    ])
  package static let evidence = Detail<Evidence>(
    "evidence",
    [
      Column(
        "threshold", "threshold",
        "Installs of a campaign and day of install from which half of the values are shown; none if no threshold is visible.",
        \.thresholdSize),
      Column("threshold", "90 % interval", "The 90 % interval of the threshold.", \.thresholdInterval),
      Column("hard", "hard", "Whether all values are shown from the threshold on, and none below.") {
        $0.threshold?.isHard
      },
      Column(
        "slope", "slope",
        "How gradual the threshold is: the odds of being shown grow by the power 1 / slope of installs."
      ) { $0.threshold.map { Ratio($0.slope) } },
      Column(
        "dispersion", "dispersion", "Pearson's dispersion of the fit; 1 is what chance alone gives.",
        shown: .forPrograms
      ) { $0.threshold.map { Ratio($0.dispersion) } },
      Column(
        "fewest-users", "fewest users", "Fewest users of a campaign and week that a value was shown for.",
        \.fewestUsers),
      Column(
        "fewest-users-cells", "so few", "Values and campaigns in eight days with so few users.",
        shown: .forPrograms
      ) { $0.sharing.times },
      Column(
        "shown-cells", "shown", "Values and campaigns in eight days with any user.", shown: .forPrograms
      ) { $0.sharing.count },
      Column("non-winning", "non-winning", "Non-winning postbacks, which never have a value.", \.nonWinning),
      Column("seed", "random seed", "Random seed.") { Identifier("\($0.seed)") },
    ])
  package static let details = [changes.header, evidence.header]

  package func rows(from source: ReportSource) throws -> Rows<Row> {
    let (counted, evidence) = try counted(from: source.reader, now: source.now)
    var rows = Rows.held(counted)
    rows.details = [
      Self.changes.table(counted.flatMap(\.changes)),
      Self.evidence.table([evidence]),
    ]
    rows.notes =
      scope.environment.notes + (counted.isEmpty ? [] : evidence.notes)
    rows.noteIfEmpty = Sentence("no winning postbacks of the first window")
    return rows
  }
}

extension NullReport.Row {
  package var place: CampaignPlace { campaign.place(called: name) }
  /// `nil` without postbacks.
  package var nullShare: Share? { Share(nulls, of: postbacks) }
  /// The 90 % interval of the share.
  package var nullShareInterval: Bounds<Share> { Bounds(Share(interval.low), Share(interval.high)) }
}

extension NullReport.Change {
  package var place: CampaignPlace { campaign.place(called: name) }
  package var shareBefore: Share { Share(before) }
  package var shareAfter: Share { Share(after) }
}

extension NullReport.Evidence {
  /// Installs of a campaign's day from which half of the values are shown; `nil` where no threshold is visible.
  package var thresholdSize: Ratio? { threshold.map { Ratio($0.threshold) } }
  /// Its 90 % interval.
  package var thresholdInterval: Bounds<Ratio>? {
    threshold.map { Bounds(Ratio($0.interval.low), Ratio($0.interval.high)) }
  }
  /// The fewest users of a campaign and week that a value was shown for; `nil` without values.
  package var fewestUsers: Int64? { sharing.users.map(Int64.init) }
}

extension NullReport.Evidence {
  fileprivate var notes: [Sentence] {
    var notes: [Sentence] = []
    if threshold == nil {
      notes.append(
        Sentence(
          "no threshold visible: no values or all are withheld, or not by the size of a campaign's day"))
    }
    if let rule = sharing.rule {
      notes.append(
        Sentence(
          "hardly any value was shown for fewer than \(rule) users of a campaign and week: Apple withholds rare values"
        ))
    } else if sharing.refutesRules {
      notes.append(
        // The page has it as a figure.
        Sentence(
          "a value was shown for a single user of a campaign and week: Apple withholds values of campaigns with few installs, not rare values"
        ).onPages(nil))
    }
    notes.append(
      // The page has it in its list of values.
      Sentence("Apple withheld a missing value, or the app never set it; a postback does not show which")
        .onPages(nil))
    return notes
  }
}
