import JSONText
import NetworkForms
import Values

/// The raw exports of measurement partners that history is read from; the raw value is the word in commands.
///
/// Each row is read like a message of a network. What is signed is verified like every postback; of a row without a
/// signature the partner's word counts, in `Environment.claimed`.
package enum PartnerExport: String, Hashable, Sendable, CaseIterable {
  /// One row for each activity; the postback is in `sk_payload`, or in `sk_…` columns.
  /// Source: Adjust, "SKAdNetwork raw data exports".
  case adjust = "adjust-raw"
  /// One row for the install and one for each event, or one for each postback, with `skad_…` columns.
  /// Source: AppsFlyer, "SKAN raw data reports".
  case appsflyer = "appsflyer-raw"
  /// Base64 of the postback in `skan_postback`.
  /// Source: Singular, "SKAN: A standard for the implementation of SKAdNetwork", 5.1.
  case singular = "singular-raw"
  /// One row for each postback with `body_…` columns.
  /// Source: Branch, "SKAdNetwork Data".
  case branch = "branch-raw"

  /// The form of a row, which a network can also send by HTTP.
  var profile: NetworkProfile {
    switch self {
    case .adjust: .adjustRaw
    case .appsflyer: .appsflyerRaw
    case .singular: .singularRaw
    case .branch: .branchRaw
    }
  }

  /// The columns that have the moment of arrival, the first that a row has counts.
  package var timeColumns: [String] {
    switch self {
    case .adjust: ["sk_ts", "received_at", "created_at"]
    case .appsflyer: ["timestamp", "ad_network_timestamp"]
    case .singular: ["postback_timestamp", "timestamp"]
    case .branch: ["timestamp"]
    }
  }

  /// The columns one of which every row with a postback has.
  package var requiredColumns: [String] {
    switch self {
    case .adjust: ["sk_payload", "sk_transaction_id"]
    case .appsflyer: ["skad_transaction_id"]
    case .singular: ["skan_postback"]
    case .branch: ["body_transaction_id"]
    }
  }

  /// Reads a row; `nil` where it has no postback, as rows about other things have none.
  func read(_ row: ExportRow) -> (form: FormReading, profile: NetworkProfile)? {
    guard requiredColumns.contains(where: { row.cells[$0] != nil }) else { return nil }
    return (profile.read(row.document), profile)
  }

  /// A moment: RFC 3339, a date and time with or without UTC behind it, or seconds or milliseconds of Unix time.
  static func reading(_ text: String) -> TimeFormat.Reading? {
    if let number = Int64(text), text.utf8.first.map({ (0x30...0x39).contains($0) }) == true {
      // Seconds have eleven digits until the year 5138, and milliseconds had twelve before 2001.
      let instant =
        text.utf8.count <= 11 ? Instant(seconds: number) : Instant(milliseconds: number)
      return number <= 253_402_300_799_999
        ? TimeFormat.Reading(clock: instant, offsetMinutes: 0) : nil
    }
    if text.utf8.count == 10, let day = Day(text) { return TimeFormat.Reading(clock: day.start) }
    // As AppsFlyer writes it: `2026-11-01 08:00:00`, or with milliseconds.
    guard text.hasSuffix(" UTC") else { return TimeFormat.Reading(timestamp: text) }
    return TimeFormat.Reading(timestamp: String(text.dropLast(4)))
      .flatMap { $0.offsetMinutes == nil ? TimeFormat.Reading(clock: $0.clock, offsetMinutes: 0) : nil }
  }
}

package struct ExportRow: Sendable {
  /// The line it begins on, from 1.
  let line: Int
  let cells: [String: String]
  /// Whether a cell has a text for no value; ``cells`` has none of those.
  let hasNullText: Bool
  /// When it arrived at the partner; `nil` where it has no postback, or another moment is given for such rows.
  let time: Instant?
  /// The same as a JSON object in the order of the columns: what is kept of the row.
  let document: [UInt8]
}
