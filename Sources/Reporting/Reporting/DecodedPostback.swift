package import CSVText
package import JSONText
package import Ledger
package import MappingLibrary
package import Mappings
import Postbacks
import Values
import Verification

/// A stored postback with what its value says of the user.
package struct DecodedPostback: Sendable {
  /// The postback.
  package let postback: PostbackRow
  /// What its mapping says; `nil` where the app has no mapping or the postback can have no value.
  package let expectation: Expectation?
  /// What became of the value, in a word.
  package let status: String
  /// Whether its money and events add up with those of the conversion's other windows, and are not in there already.
  ///
  /// Where that is so under some of the versions that are possible only, money and events are those to be added.
  package let addsUp: Bool
  private let history: MappingHistory?

  fileprivate init(_ postback: PostbackRow, _ expectation: Expectation?, _ history: MappingHistory?) {
    self.postback = postback
    addsUp = expectation?.isAdditional ?? (postback.window == .first)
    self.history = history
    let hasMeaning =
      switch postback.value {
      case .fine, .coarse: postback.outcome != .assist
      case .absent, .rejected: false
      }
    self.expectation = hasMeaning ? expectation : nil
    status =
      switch (postback.outcome, postback.value, expectation?.status) {
      case (.assist, _, _): "none-expected"
      case (_, .absent, _): "null"
      case (_, .rejected, _): "impossible"
      case (_, _, .decoded):
        expectation?.readings.allSatisfy { $0.meaning == .zero } == true ? "zero" : "decoded"
      case (_, _, .unmapped): "unmapped"
      case (_, _, .undated), (_, _, nil): "no-mapping"
      }
  }

  /// When the app can have been launched first: as the timers, locks and hours of the mappings that are possible allow,
  /// or without a mapping as Apple's timers alone do.
  var launch: (earliest: Instant, latest: Instant) {
    if let delay = expectation?.delay {
      return (
        postback.receivedAt + -Int64(delay.longest * 3_600_000),
        postback.receivedAt + -Int64(delay.shortest * 3_600_000)
      )
    }
    let law = DelayLaw.firstLaunch(
      version: postback.version, window: postback.window, timers: postback.environment.timers,
      receivedAt: postback.receivedAt)
    return (law.earliest, law.latest)
  }

  /// What is told of the user: where it adds up, the part that other windows do not hold already.
  private var worth: Expectation.Worth? { addsUp ? expectation?.additional : expectation?.whole }

  /// How sure the version of the mapping is: `certain`, `mixed`, `newest` for the newest of several that a device used
  /// for development can have followed, or nothing where none was in force.
  var certainty: String? {
    switch expectation?.dating {
    case .certain: "certain"
    case .mixed: "mixed"
    case .newest: "newest"
    case .before, nil: nil
    }
  }

  /// Each version that is possible: its name, beginning and probability.
  private var versions: [(name: String, from: String, probability: Double, label: String?)] {
    guard let history, let expectation else { return [] }
    return expectation.readings.map { reading in
      let mapping = history.versions[reading.version]
      var label: String?
      if case .rules(let rules) = reading.meaning {
        label = rules.map { mapping.name(of: $0.rule) }.joined(separator: " | ")
      }
      return (mapping.name, "\(mapping.effectiveFrom)", reading.probability, label)
    }
  }

  /// The names of the columns for spreadsheets.
  package static let columns = [
    "received-at", "environment", "version", "app", "network", "campaign", "window", "outcome", "interaction",
    "country", "value", "coarse", "meaning", "certainty", "mapping", "label", "events", "currency",
    "revenue-low", "revenue-representative", "revenue-high", "adds-up", "launch-earliest", "launch-latest",
    "route", "id",
  ]

  /// The postback as a line for spreadsheets.
  package var csv: String { CSV.line(cells) }

  private func text(_ text: String?) -> CSV.Cell { text.map { .string($0) } ?? .none }

  private var cells: [CSV.Cell] {
    let money = worth?.revenue ?? []
    let single = money.count == 1 ? money[0] : nil
    let events = (worth?.events ?? []).map(\.name).joined(separator: " ")
    let names = versions.map { "\($0.name) (\($0.from))" }.joined(separator: " | ")
    let labels = versions.compactMap(\.label).joined(separator: " | ")
    return [
      .string("\(postback.receivedAt)"), .string(postback.environment.rawValue),
      .string(postback.version.rawValue), .integer(postback.app.number), .string(postback.network),
      .string(postback.campaign), .integer(Int64(postback.window.rawValue)),
      .string(postback.outcome.rawValue), text(postback.interaction?.rawValue), text(postback.country),
      postback.fine.map { .integer($0) } ?? .none, text(postback.coarse), .string(status), text(certainty),
      text(names.isEmpty ? nil : names), text(labels.isEmpty ? nil : labels),
      text(events.isEmpty ? nil : events), text(single?.currency.text), .amount(single?.low),
      .amount(single?.representative), .amount(single?.high), .string(addsUp ? "true" : "false"),
      .string("\(launch.earliest)"),
      .string("\(launch.latest)"), .string(postback.origin.route.rawValue), .string(postback.identifier),
    ]
  }

  /// The postback as a JSON object.
  package var json: JSONOutput {
    .object([
      .init("received-at", .string("\(postback.receivedAt)")),
      .init("environment", .string(postback.environment.rawValue)),
      .init("version", .string(postback.version.rawValue)), .init("app", .integer(postback.app.number)),
      .init("network", .string(postback.network)), .init("campaign", .string(postback.campaign)),
      .init("window", .integer(Int64(postback.window.rawValue))),
      .init("outcome", .string(postback.outcome.rawValue)),
      .init("interaction", .optional(postback.interaction?.rawValue)),
      .init("country", .optional(postback.country)),
      .init("value", postback.fine.map { .integer($0) } ?? .null),
      .init("coarse", .optional(postback.coarse)), .init("meaning", .string(status)),
      .init("decoding", decoding), .init("adds-up", .bool(addsUp)),
      .init("launch-earliest", .string("\(launch.earliest)")),
      .init("launch-latest", .string("\(launch.latest)")),
      .init("route", .string(postback.origin.route.rawValue)), .init("id", .string(postback.identifier)),
    ])
  }

  /// What the value says, and by which version of which mapping; `null` where nothing does.
  package var decoding: JSONOutput {
    guard let expectation, let worth, !expectation.readings.isEmpty else { return .null }
    return [
      "certainty": .optional(certainty),
      "mappings": .array(
        versions.map {
          [
            "name": .string($0.name), "effective-from": .string($0.from),
            "probability": decimal($0.probability), "rule": .optional($0.label),
          ]
        }),
      "events": .array(
        worth.events.map {
          [
            "event": .string($0.name), "probability": decimal($0.probability),
            "min": .integer(Int64($0.min)), "max": $0.max.map { .integer(Int64($0)) } ?? .null,
          ]
        }),
      "revenue": .array(
        worth.revenue.map {
          [
            "currency": .string($0.currency.text), "low": $0.low?.json ?? .null,
            "representative": $0.representative.json, "high": $0.high?.json ?? .null,
          ]
        }),
    ]
  }

  private func decimal(_ probability: Double) -> JSONOutput {
    Amount(micros: Int64((probability * 1_000_000).rounded())).json
  }

  /// The names of the columns of events for spreadsheets.
  package static let eventColumns = [
    "received-at", "environment", "app", "network", "campaign", "window", "event", "probability", "min",
    "max", "currency", "revenue-low", "revenue-representative", "revenue-high", "certainty", "label",
    "launch-earliest", "launch-latest", "id",
  ]

  /// The events that the value tells of, a row each; money is of the whole postback and stands in the first.
  ///
  /// A value with money and without an event has a row without an event, so that no money is missing. What a later
  /// window repeats of an earlier one has none, so that no money stands there twice.
  package var eventRows: [[CSV.Cell]] {
    guard let worth, addsUp else { return [] }
    let labels = versions.compactMap(\.label).joined(separator: " | ")
    let events: [Expectation.EventEstimate?] = worth.events
    return (events.isEmpty && !worth.revenue.isEmpty ? [nil] : events).enumerated().map {
      index, event in
      let money = index == 0 && worth.revenue.count == 1 ? worth.revenue[0] : nil
      return [
        .string("\(postback.receivedAt)"), .string(postback.environment.rawValue),
        .integer(postback.app.number), .string(postback.network), .string(postback.campaign),
        .integer(Int64(postback.window.rawValue)), text(event?.name),
        .amount(event.map { Amount(micros: Int64(($0.probability * 1_000_000).rounded())) }),
        event.map { .integer(Int64($0.min)) } ?? .none,
        event?.max.map { .integer(Int64($0)) } ?? .none,
        text(money?.currency.text), .amount(money?.low), .amount(money?.representative),
        .amount(money?.high), text(certainty), text(labels.isEmpty ? nil : labels),
        .string("\(launch.earliest)"), .string("\(launch.latest)"), .string(postback.identifier),
      ]
    }
  }
}

/// Decodes postbacks one by one, deciding each kind of value only once.
package struct PostbackDecoder {
  /// Kinds that are remembered; a month of hours of all values of an app is fewer.
  private static let capacity = 1 << 16

  private struct Kind: Hashable {
    let app: AppID
    let hasWindows: Bool
    let window: ConversionWindow
    let timers: DeviceTimers
    let value: ConversionValue
    let type: ConversionType?
    let hour: Int64
  }

  private let catalog: MappingCatalog
  private var known: [Kind: Expectation] = [:]

  /// Decodes by the mappings of a ledger.
  package init(_ catalog: MappingCatalog) { self.catalog = catalog }

  /// Decodes a postback.
  package mutating func decode(_ postback: PostbackRow) -> DecodedPostback {
    let timers = postback.environment.timers
    let type = postback.outcome.conversionType
    let kind = Kind(
      app: postback.app, hasWindows: postback.version.hasWindows, window: postback.window, timers: timers,
      value: postback.value, type: type, hour: postback.receivedAt.hour)
    let history = catalog.histories[postback.app]
    if let found = known[kind] { return DecodedPostback(postback, found, history) }
    let expectation = catalog.expectation(
      of: postback.value, app: postback.app, version: postback.version, window: postback.window,
      timers: timers, receivedAt: postback.receivedAt, type: type)
    if known.count >= Self.capacity { known.removeAll(keepingCapacity: true) }
    known[kind] = expectation
    return DecodedPostback(postback, expectation, history)
  }
}

extension PostbackRow {
  /// The fine value, where there is one.
  var fine: Int64? { if case .fine(let value) = value { Int64(value.number) } else { nil } }

  /// The coarse value, where there is one.
  var coarse: String? { if case .coarse(let value) = value { value.rawValue } else { nil } }
}

extension CSV.Cell {
  /// The cell as JSON.
  var json: JSONOutput {
    switch self {
    case .none: .null
    case .integer(let number): .integer(number)
    case .number(let digits): JSONNumber(digits).map { .number($0) } ?? .null
    case .string(let text), .verbatim(let text): .string(text)
    }
  }

  /// The cell as people read it.
  var plain: String {
    switch self {
    case .none: ""
    case .integer(let number): "\(number)"
    case .number(let digits): digits
    case .string(let text), .verbatim(let text): printable(text)
    }
  }
}

extension DecodedPostback {
  /// The postback in a table for people.
  package static let tableColumns: [TextTable.Column] = [
    .init("received"), .init("app", isNumeric: true), .init("network"), .init("campaign", isNumeric: true),
    .init("window", isNumeric: true), .init("outcome"), .init("value", isNumeric: true), .init("meaning"),
    .init("rule"), .init("revenue", isNumeric: true), .init("id"),
  ]

  /// The cells under those columns.
  package var tableCells: [String] {
    let money = (worth?.revenue ?? []).map { "\($0.representative) \($0.currency.text)" }
    let labels = versions.compactMap(\.label).joined(separator: " | ")
    return [
      "\(postback.receivedAt)", "\(postback.app.number)", printable(postback.network), postback.campaign,
      "\(postback.window.rawValue)", postback.outcome.rawValue,
      postback.fine.map { "\($0)" } ?? postback.coarse ?? "",
      status + certaintyMark, printable(labels), money.joined(separator: " + "),
      printable(postback.identifier),
    ]
  }

  /// The certainty behind the meaning, where it is not certain.
  private var certaintyMark: String {
    certainty.map { $0 == "certain" ? "" : " (\($0))" } ?? ""
  }

  /// The meaning on lines with names, for people.
  var lines: [(name: String, text: String)] {
    var lines = [("value", sentence)]
    for version in versions {
      let share = versions.count > 1 || certainty == "mixed" ? ", \(percent(version.probability))" : ""
      let rule = version.label.map { ": \(printable($0))" } ?? ": no rule"
      lines.append(("mapping", "\(printable(version.name)), from \(version.from)\(share)\(rule)"))
    }
    for event in worth?.events ?? [] {
      let often =
        event.max.map { event.min == $0 ? "\($0)" : "\(event.min) to \($0)" } ?? "at least \(event.min)"
      lines.append(("event", "\(printable(event.name)), \(often)"))
    }
    for money in worth?.revenue ?? [] {
      let low = money.low.map { "\($0)" } ?? "no limit"
      let high = money.high.map { "\($0)" } ?? "no limit"
      lines.append(("revenue", "\(money.representative) \(money.currency.text), from \(low) to \(high)"))
    }
    return lines
  }

  private var sentence: String {
    switch status {
    case "none-expected": "none expected: the ad did not win"
    case "null": "none: withheld by Apple, or none set"
    case "impossible": "impossible by Apple's rules"
    case "zero": "0: installed, nothing else known"
    case "unmapped": "in no rule of the mapping: something else set it"
    case "no-mapping": "no mapping was in force for this app"
    default:
      switch certainty {
      case "mixed": "decoded; each of these versions may have set it"
      case "newest":
        "decoded by the newest mapping that this test device can have followed; an earlier one is possible too"
      default: "decoded"
      }
    }
  }

  private func percent(_ probability: Double) -> String {
    "\(Int((probability * 100).rounded())) %"
  }

  /// The events as JSON objects.
  package var eventObjects: [JSONOutput] {
    eventRows.map { cells in
      .object(zip(Self.eventColumns, cells).map { .init($0, $1.json) })
    }
  }

  /// The events as lines for spreadsheets.
  package var eventLines: [String] { eventRows.map { CSV.line($0) } }

  /// The events as cells for people, without the columns that repeat the postback.
  package var eventCells: [[String]] { eventRows.map { $0.map(\.plain) } }
}
