package import Arguments
package import Campaigns
package import Ledger
import Postbacks
package import Tables
package import Values

/// Conversions of which two valid copies disagree, and how often each network's do.
package struct ConflictReport: Report {
  package var period = Period<Instant>()
  package var scope = Scope()

  package init() {}

  package static let name = "conflicts"
  package static let summary = "List conversions whose valid copies disagree."
  package static let discussion = [
    "Apple signs neither the conversion value nor the country. Two copies of one conversion whose signatures hold and "
      + "which disagree in such a field are evidence that one of them was changed: a device sends the same bytes to the "
      + "network and to the advertiser. Both bodies are kept; JSON has them.",
    "Of each conversion at most 16 disagreeing copies and 128 KiB of them are kept, of each sender 16 MiB a day. Copies "
      + "beyond that are counted: their row has no value and no body.",
    "The table `networks` has, for each network, how many conversions came in more than one copy, and how many of those "
      + "are in conflict.",
  ]
  package static let examples: [Command.Example] = [
    .init("Print all of them", "skan report conflicts -d skan.db"),
    .init("Print them with both bodies", "skan report conflicts -d skan.db --format ndjson"),
  ]
  package static let pageSize: Int? = 1000
  package static let isStreamed = true
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.period) + Parameter.all(of: \.scope)

  package static let columns: [Column<CopyConflict>] = [
    Column("id", "id", "transaction-id or postback-identifier.") { Identifier($0.identifier) },
    Column("network", "network", "Ad network.") { Identifier($0.network) },
    Column("app", "app", "App Store number of the advertised app.", shown: .forPrograms) {
      Identifier("\($0.app.number)")
    },
    Column("campaign", "campaign", "Campaign's digits in the first copy.", shown: .forPrograms) {
      Identifier($0.campaign)
    },
    Column("window", "window", "Conversion window, 1 to 3.", shown: .forPrograms) { $0.window.rawValue + 1 },
    Column("fields", "fields", "Fields that differ.", \.fields),
    Column(
      "first-received-at", "first arrived", "Arrival time of the first copy, which reports count.",
      shown: .forPrograms,
      \.first.receivedAt),
    Column(
      "first-value", "counts", "Value in the first copy: fine, coarse, none or impossible.", \.first.value),
    Column("first-route", "by", "Route and sender of the first copy.", \.first.route),
    Column(
      "other-received-at", "other arrived", "Arrival time of the other copy.", shown: .forPrograms,
      \.other.receivedAt),
    Column(
      "other-value", "other", "Value in the other copy; none if its body is not kept.", none: "(not kept)",
      \.other.value),
    Column("other-route", "by", "Route and sender of the other copy.", \.other.route),
    Column("times", "times", "How often the other copy came.", shown: .forPrograms, \.times),
    Column("kept", "kept", "Whether the other copy's body is kept.", shown: .forPrograms) {
      $0.other.body != nil
    },
    .records("bodies", "Both bodies as they came, the first copy's first.", bodies) { [$0.first, $0.other] },
  ]
  private static let bodies: [Column<CopyConflict.Copy>] = [
    Column("body", "body", "Body of the copy; none if it is not kept.") { copy in
      copy.body.map { String(decoding: $0, as: UTF8.self) }
    }
  ]
  private static let networks = Detail<CopyConflictRate>(
    "networks",
    [
      Column("network", "network", "Ad network.") { Identifier($0.network) },
      Column("copied", "copied", "Conversions of which there is more than one copy.", \.copied),
      Column("in-conflict", "in conflict", "Those of them whose copies disagree.", \.contradicted),
      Column(
        "counted-only", "not kept", "Disagreeing copies beyond the quota, which are counted and not kept.",
        \.countedOnly),
    ])
  package static let details = [networks.header]

  package func rows(from source: ReportSource) throws -> Rows<CopyConflict> {
    let query = PostbackQuery(period, scope)
    var rows = Rows<CopyConflict>.stream {
      RowPlace(row: $0.row, part: $0.copy)
    } _: { place, body in
      try source.reader.forEachContradiction(query, after: (place?.row ?? 0, place?.part ?? 0), body)
    }
    rows.details = [Self.networks.table(try source.reader.copyConflictRates(query))]
    rows.notes = scope.environment.notes
    rows.noteIfEmpty = Sentence("no conflicts")
    return rows
  }
}

extension CopyConflict.Copy {
  fileprivate var route: String {
    origin.name.isEmpty ? origin.route.rawValue : "\(origin.route.rawValue) \(origin.name)"
  }

  /// The value that the body claims; `nil` where there is none to read.
  fileprivate var value: String? {
    switch body.flatMap({ PostbackReading($0).postback })?.claimed.value {
    case .fine(let value): "\(value.number)"
    case .coarse(let value): value.rawValue
    case .absent: "none"
    case .rejected: "impossible"
    case nil: nil
    }
  }
}
