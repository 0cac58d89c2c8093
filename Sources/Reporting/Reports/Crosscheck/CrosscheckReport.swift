package import Arguments
package import Campaigns
import Estimates
package import Ledger
import Postbacks
package import Tables
package import Values

/// Device copies compared with network copies of the same conversions.
package struct CrosscheckReport: Report {
  package var period = Period<Instant>()
  package var scope = Scope()

  package init() {}

  package static let name = "crosscheck"
  package static let summary = "Compare the copies that devices sent with those that networks forwarded."
  package static let discussion = [
    "A device sends the same bytes to the ad network and, where the app asks for it, to the advertiser. A row is a "
      + "network, app and window: how many conversions have copies from both sides or from one, how many of them differ, "
      + "and the delay from the device copy to the network copy. --from and --to are about a conversion's first copy.",
    "Every conversion that differs has exactly one reason, which follows from what the database has; what nothing "
      + "explains counts as unexplained. Some reasons are no fault: devices copy winning postbacks only, and from iOS 15 "
      + "on. The table `findings` has the reasons in words.",
    "The table `tests` has, for each network, whether a side leaves out conversions by their value: a chi-square of "
      + "three groups, only device copies, both, only network copies. Probabilities are corrected for the number of "
      + "networks (Holm). The table `values` has the distributions behind it.",
  ]
  package static let examples: [Command.Example] = [
    .init("Compare one month", "skan report crosscheck -d skan.db --from 2026-11-01 --to 2026-12-01"),
    .init("Print all distributions", "skan report crosscheck -d skan.db --format csv --table values"),
  ]
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + Parameter.all(of: \.scope)

  package static let both = Column<Crosscheck.Row>(
    "both", "both", "Conversions with a device copy and a network copy.", \.both)
  package static let onlyDevice = Column<Crosscheck.Row>(
    "only-device", "only device", "Conversions with device copies only.", \.onlyDevices)
  package static let onlyNetwork = Column<Crosscheck.Row>(
    "only-network", "only network", "Conversions with network copies only.", \.onlyNetwork)

  package static let columns: [Column<Crosscheck.Row>] =
    [
      Column("network", "network", "Ad network.") { Identifier($0.network) },
      Column("app", "app", "App Store number of the advertised app.") { Identifier("\($0.app)") },
      Column("window", "window", "Conversion window, 1 to 3.") { $0.window.rawValue + 1 },
      both,
      Column("agreeing", "agree", "Those of them whose copies agree.", \.agreeing),
      onlyDevice,
      onlyNetwork,
      Column(
        "only-files", "only files", "Conversions that came from files only; they are on no side.",
        shown: .whereUseful, \.onlyFiles),
      Column("fine-differs", "fine differs", "Conversions whose fine values differ.", \.fineDiffers),
      Column("coarse-differs", "coarse differs", "Conversions whose coarse values differ.", \.coarseDiffers),
      Column("country-differs", "country differs", "Conversions whose countries differ.", \.countryDiffers),
      Column(
        "median-delay-minutes", "median delay, min",
        "Minutes from the device copy to the network copy: half of the pairs stay within.", \.medianDelay),
      Column(
        "p95-delay-minutes", "95 % within, min",
        "Minutes from the device copy to the network copy: 95 % of the pairs stay within.", \.longDelay),
    ]
    + DifferenceReason.allCases.map { reason in
      Column(
        reason.rawValue, .init(stringLiteral: reason.rawValue),
        "Conversions that differ for the reason \(code: reason.rawValue).",
        shown: .forPrograms
      ) { $0.reasons[reason] ?? 0 }
    }

  package static let findings = Detail<DifferenceFinding>(
    "findings",
    [
      Column("network", "network", "Ad network.") { Identifier($0.network) },
      Column("app", "app", "App Store number of the advertised app.") { Identifier("\($0.app)") },
      Column("conversions", "conversions", "Conversions that differ for this reason.", \.count),
      Column("reason", "reason", "Code of the reason.", \.reason.rawValue),
      Column("explanation", "explanation", "What the reason means here.", \.sentence),
    ])
  package static let chiSquare = Column<Crosscheck.Mix>(
    "chi-square", "chi-square", "Chi-square of the three groups; none if there is too little data.",
    \.chiSquare)
  package static let degreesOfFreedom = Column<Crosscheck.Mix>(
    "degrees-of-freedom", "degrees of freedom", "Degrees of freedom of the chi-square."
  ) { $0.test.map { Int64($0.freedom) } }
  package static let correctedProbability = Column<Crosscheck.Mix>(
    "probability-holm", "p", "That probability, corrected for the number of networks (Holm).",
    shown: .forPrograms, \.correctedProbability)
  package static let raised = Column<Crosscheck.Mix>(
    "raised", "raised", "Changed values that are higher in the network copy.", shown: .whereUseful
  ) { $0.direction?.raised }
  package static let lowered = Column<Crosscheck.Mix>(
    "lowered", "lowered", "Changed values that are lower in the network copy.", shown: .whereUseful
  ) { $0.direction?.lowered }
  package static let directionProbability = Column<Crosscheck.Mix>(
    "direction-probability", "p", "Probability of so uneven a direction by chance (sign test).",
    shown: .forPrograms, \.directionProbability)
  package static let tests = Detail<Crosscheck.Mix>(
    "tests",
    [
      Column("network", "network", "Ad network.") { Identifier($0.network) },
      Column("verdict", "verdict", "Whether a side leaves out conversions by their value.", \.verdict),
      chiSquare, degreesOfFreedom,
      Column("probability", "p", "Probability of so large a chi-square by chance.", shown: .forPrograms) {
        $0.test.map { Ratio($0.probability) }
      },
      correctedProbability,
      Column("p", "p, Holm", "That probability, corrected for the number of networks.", shown: .forPeople) {
        $0.corrected.map(chance)
      },
      raised, lowered, directionProbability,
      Column(
        "sign-test", "p, sign test", "Probability of so uneven a direction by chance.", shown: .forPeople
      ) { mix in mix.direction.map { chance($0.probability) } },
      Column(
        "outstanding-values", "values that differ most", "Values whose shares differ most, at most three.",
        shown: .whereUseful, \.outstandingValues),
    ])
  private static let values = Detail<(network: String, slot: Int, device: Int64, forwarded: Int64)>(
    "values",
    [
      Column("network", "network", "Ad network.", shown: .forPrograms) { Identifier($0.network) },
      Column(
        "value", "value", "Conversion value: 0 to 63, low, medium, high, none or impossible.",
        shown: .forPrograms
      ) { ValueSlot.name($0.slot) },
      Column(
        "device-copies", "device copies",
        "Winning conversions with this value in the device copy, without those that a side misses for a known reason.",
        shown: .forPrograms
      ) { $0.device },
      Column("network-copies", "network copies", "The same for network copies.", shown: .forPrograms) {
        $0.forwarded
      },
    ])
  package static let rejected = Detail<RejectedForwards>(
    "rejected-network-copies",
    [
      Column("sender", "sender", "Name of the network that forwarded them.") { Identifier($0.name) },
      Column("state", "state", "Verdict: invalid, unverifiable or malformed.", \.state.rawValue),
      Column("reason", "reason", "Code of the reason.", \.reason),
      Column("bodies", "bodies", "Bodies that were rejected.", \.seen),
    ])
  package static let details = [findings.header, tests.header, values.header, rejected.header]

  package func rows(from source: ReportSource) throws -> Rows<Crosscheck.Row> {
    let found = try Crosscheck(PostbackQuery(period, scope), from: source.reader, now: source.now)
    var rows = Rows.held(found.rows)
    rows.details = [
      Self.findings.table(found.findings), Self.tests.table(found.mixes),
      Self.values.table(
        found.mixes.flatMap { mix in
          mix.device.indices.map { (mix.network, $0, mix.device[$0], mix.forwarded[$0]) }
        }.filter { $0.2 + $0.3 > 0 }),
      Self.rejected.table(found.rejectedForwards),
    ]
    rows.notes =
      scope.environment.notes
      + (!found.rows.isEmpty && found.findings.isEmpty ? [Sentence("no differences")] : [])
      + found.mixes.flatMap(\.notes)
    rows.noteIfEmpty = Sentence("no conversions from devices or networks")
    return rows
  }
}

extension Crosscheck.Mix {
  package var chiSquare: Ratio? { test.map { Ratio($0.statistic) } }
  /// The probability of so large a chi-square by chance, corrected for the number of networks.
  package var correctedProbability: Ratio? { corrected.map { Ratio($0) } }
  /// The probability of so uneven a direction by chance; `nil` where no changed value can be compared.
  package var directionProbability: Ratio? { direction.map { Ratio($0.probability) } }
  /// The values whose shares differ most, at most three.
  package var outstandingValues: [String] { outstanding.map(ValueSlot.name) }
  /// Whether a side leaves out conversions by their value; `nil` where there is too little data.
  package var leavesOutByValue: Bool? { corrected.map { $0 < 0.05 } }

  fileprivate var verdict: Sentence {
    guard let leavesOutByValue else { return Sentence("too little data to compare values") }
    return leavesOutByValue
      ? Sentence("one side leaves out conversions by their value")
      : Sentence("no sign that a side leaves out conversions by their value")
  }

  /// The shares of the values that differ most.
  fileprivate var notes: [Sentence] {
    let (devices, networks) = (device.reduce(0, +), forwarded.reduce(0, +))
    return outstanding.map { slot in
      Sentence(
        "\(name: network): \(code: ValueSlot.name(slot)) is \(number: percent(device[slot], of: devices)) % of device copies and "
          + "\(number: percent(forwarded[slot], of: networks)) % of network copies")
    }
  }
}

/// A probability with four decimals, which is never zero.
private func chance(_ probability: Double) -> String {
  probability < 0.0001 ? "below 0.0001" : fixed(probability, 4)
}
