public import Postbacks
import SQLite
public import Values

/// What the rows of a report on web clicks are distinguished by.
public enum WebClickDimension: String, Hashable, Sendable, CaseIterable {
  case day
  case sourceSite = "source-site"
  case destinationSite = "destination-site"
  case sourceID = "source-id"
  case triggerData = "trigger-data"
  case version

  fileprivate var column: String {
    switch self {
    case .day: "day"
    case .sourceSite: "source_site"
    case .destinationSite: "destination_site"
    case .sourceID: "source_id"
    case .triggerData: "trigger_data"
    case .version: "version"
    }
  }
}

/// A question about reports of Private Click Measurement.
public struct WebClickQuery: Sendable {
  /// The first UTC day of arrival that counts; `nil` for no bound.
  public var from: Day?
  /// The first UTC day of arrival that no longer counts; `nil` for no bound.
  public var to: Day?
  /// The sites of the ads that count; none for all.
  public var sourceSites: [WebSite]
  /// The sites of the conversions that count; none for all.
  public var destinationSites: [WebSite]
  /// What rows are distinguished by, in the order they are sorted; none for one row of all.
  public var dimensions: [WebClickDimension]

  public init(
    from: Day? = nil, to: Day? = nil, sourceSites: [WebSite] = [], destinationSites: [WebSite] = [],
    dimensions: [WebClickDimension] = []
  ) {
    self.from = from
    self.to = to
    self.sourceSites = sourceSites
    self.destinationSites = destinationSites
    self.dimensions = dimensions
  }
}

/// Reports of Private Click Measurement that have something in common.
///
/// A dimension is `nil` where it was not asked for, and in the row of all that a day did not distinguish.
public struct WebClickRow: Equatable, Sendable {
  /// UTC day of arrival.
  public var day: Day?
  public var sourceSite: String?
  public var destinationSite: String?
  /// What the source site calls the ad, 0 through 255.
  public var sourceID: Int64?
  /// What the destination site calls the conversion, 0 through 15.
  public var triggerData: Int64?
  public var version: Int64?
  /// Reports, without further equal ones that have a secret token.
  public var clicks: Int64
  /// Further equal reports that have a secret token.
  public var repeats: Int64
}

extension WebClickRow {
  fileprivate mutating func set(_ dimension: WebClickDimension, from row: borrowing Row, _ column: Int32) {
    let number = row.count(column)
    let text = row.text(column).flatMap { $0.isEmpty ? nil : $0 }
    switch dimension {
    case .day: day = Day(number: Int32(truncatingIfNeeded: number))
    case .sourceSite: sourceSite = text
    case .destinationSite: destinationSite = text
    case .sourceID: sourceID = number < 0 ? nil : number
    case .triggerData: triggerData = number < 0 ? nil : number
    case .version: version = number < 0 ? nil : number
    }
  }
}

/// Bodies that are no reports of Private Click Measurement, by the reason.
public struct RejectedWebClicks: Equatable, Sendable {
  public let reason: String
  public let seen: Int64
  public let kept: Int64
}

extension LedgerReader {
  /// The reports of Private Click Measurement, sorted by their dimensions.
  public func webClicks(_ query: WebClickQuery) throws(LedgerError) -> [WebClickRow] {
    try asLedger { () throws(SQLiteError) in
      let names = query.dimensions.map(\.column)
      var conditions = ["day >= ?1", "day < ?2"]
      var position: Int32 = 3
      for (column, sites) in [
        ("source_site", query.sourceSites), ("destination_site", query.destinationSites),
      ] where !sites.isEmpty {
        let places = sites.indices.map { "?\(Int(position) + $0)" }
        position += Int32(sites.count)
        conditions.append("\(column) IN (\(places.joined(separator: ", ")))")
      }
      let grouping = names.isEmpty ? "" : "GROUP BY \(names.joined(separator: ", "))"
      let order = names.isEmpty ? "" : "ORDER BY \(names.joined(separator: ", "))"
      let statement = try connection.prepare(
        """
        SELECT \((names + ["coalesce(sum(kept + counted_only), 0)", "coalesce(sum(repeats), 0)"]).joined(separator: ", "))
        FROM web_click_total WHERE \(conditions.joined(separator: " AND ")) \(grouping) \(order)
        """)
      try statement.bind([Int64(query.from?.number ?? .min), Int64(query.to?.number ?? .max)])
      for (index, site) in (query.sourceSites + query.destinationSites).enumerated() {
        try statement.bind(site.text, at: Int32(3 + index))
      }
      var rows: [WebClickRow] = []
      try statement.forEachRow { row in
        let first = Int32(names.count)
        var found = WebClickRow(clicks: row.count(first), repeats: row.count(first + 1))
        for (index, dimension) in query.dimensions.enumerated() {
          found.set(dimension, from: row, Int32(index))
        }
        rows.append(found)
      }
      return rows
    }
  }

  /// Bodies of some days that were sent as reports of Private Click Measurement and are none, by reason.
  public func rejectedWebClicks(from: Day?, to: Day?) throws(LedgerError) -> [RejectedWebClicks] {
    try asLedger { () throws(SQLiteError) in
      let statement = try connection.prepare(
        """
        SELECT reason, sum(kept + counted_only), sum(kept) FROM web_rejected_total WHERE day >= ?1 AND day < ?2
        GROUP BY reason ORDER BY reason
        """)
      try statement.bind([Int64(from?.number ?? .min), Int64(to?.number ?? .max)])
      var found: [RejectedWebClicks] = []
      try statement.forEachRow {
        found.append(RejectedWebClicks(reason: $0.text(0) ?? "", seen: $0.count(1), kept: $0.count(2)))
      }
      return found
    }
  }
}
