package import JSONText
package import Values

/// Where the postbacks of a file have their moments of arrival, and how these are written.
package struct ArrivalTimes: Sendable {
  /// The member of a postback, or the column of an export; `nil` for those of the partner, or none.
  let name: String?
  /// How moments are written; `nil` for RFC 3339, a date and time, or Unix time.
  private let format: TimeFormat?
  /// The clock of a date and time without an offset; `nil` for UTC in an export.
  private let zone: ReportingZone?
  let hasFallback: Bool
  /// The last moment that one can be of; `nil` for any.
  private let latest: Instant?

  /// Describes the times of a file.
  ///
  /// - Parameters:
  ///   - name: The member of a postback, or the column of an export; `nil` for those of the partner, or none.
  ///   - format: How moments are written; `nil` for RFC 3339, a date and time, or Unix time.
  ///   - zone: The clock of a date and time without an offset; `nil` for UTC, where a form or an export allows such.
  ///   - hasFallback: Whether rows without a time have one that is given for all.
  ///   - latest: The last moment at which a postback can have come to a partner; `nil` for any.
  package init(
    in name: String? = nil, as format: TimeFormat? = nil, by zone: ReportingZone? = nil,
    hasFallback: Bool = false, notAfter latest: Instant? = nil
  ) {
    self.name = name
    self.format = format
    self.zone = zone
    self.hasFallback = hasFallback
    self.latest = latest
  }

  /// Why a text is no time of arrival.
  private enum Defect: Error {
    case unreadable
    case early(Instant)
    case late(Instant)
    /// Clocks show it twice, or skip it, when they change.
    case notOneMoment(count: Int, zone: String)
  }

  /// The day of iOS 11.3, the first version with SKAdNetwork; what looks earlier is a number of another meaning.
  private static let firstArrival = Day("2018-03-29")?.start ?? Instant(milliseconds: 0)

  /// The time of a row of a partner's export.
  ///
  /// - Throws: ``PartnerFileError`` for a text that is not one moment at which a postback can have come.
  func time(_ text: String, in column: String, line: Int) throws(PartnerFileError) -> Instant {
    do throws(Defect) {
      let reading = format.map { $0.reading(text) } ?? PartnerExport.reading(text)
      guard let reading else { throw .unreadable }
      return try arrival(of: reading)
    } catch {
      throw mistake(error, text, in: column, line: line, unit: "line")
    }
  }

  private func arrival(of reading: TimeFormat.Reading) throws(Defect) -> Instant {
    let time = try moment(of: reading)
    guard time >= Self.firstArrival else { throw .early(time) }
    if let latest, time > latest { throw .late(time) }
    return time
  }

  private func moment(of reading: TimeFormat.Reading) throws(Defect) -> Instant {
    guard reading.offsetMinutes == nil, let zone else { return reading.instant }
    let moments = zone.moments(showing: reading.clock)
    guard moments.count == 1, let moment = moments.first else {
      throw .notOneMoment(count: moments.count, zone: zone.name)
    }
    return moment
  }

  /// The moment of a postback in a file; `nil` where none is named, or the body is no JSON and so no postback either.
  ///
  /// - Throws: ``PartnerFileError`` where the member is missing or can't be read.
  func time(in body: [UInt8], number: Int) throws(PartnerFileError) -> Instant? {
    guard name != nil, let node = try? JSONReader.read(body) else { return nil }
    return try time(of: node, in: nil, number: number)
  }

  /// The moment of a postback; `nil` where no member is named, or one is missing and another moment is given for such.
  ///
  /// - Parameters:
  ///   - postback: The postback, as it was sent.
  ///   - row: The row that it is in, whose member counts before one of the postback itself.
  ///   - number: The number of the row, from 1, for messages.
  /// - Throws: ``PartnerFileError`` where the member is missing or can't be read: an invented time would be wrong for ever.
  package func time(
    of postback: JSONNode?, in row: JSONNode?, number: Int
  ) throws(PartnerFileError) -> Instant? {
    guard let name else { return nil }
    let found = [row, postback].lazy.compactMap { $0?.member(at: name[...])?.value }.first { value in
      value != .null && value != .string("")
    }
    guard let value = found else {
      if hasFallback { return nil }
      throw PartnerFileError(
        line: number, unit: "postback", problem: "found no time of arrival in '\(printable(name))'",
        remedy: "correct the name of the member, or give one time for all without it: --received-at")
    }
    do throws(Defect) {
      let reading: TimeFormat.Reading? =
        switch value {
        case .string(let text): format.map { $0.reading(text) } ?? reading(text)
        case .number(let number): format.map { $0.reading(number.text) } ?? Self.unix(number.text)
        default: nil
        }
      guard let reading else { throw .unreadable }
      return try arrival(of: reading)
    } catch {
      throw mistake(error, JSONOutput(value).text(), in: name, line: number, unit: "postback")
    }
  }

  /// A time with its offset, or without one where its clock is named.
  private func reading(_ text: String) -> TimeFormat.Reading? {
    let stated = Instant(text).map { TimeFormat.Reading(clock: $0, offsetMinutes: 0) }
    let written = TimeFormat.Reading(timestamp: text)
    return zone == nil ? stated ?? written.flatMap { $0.offsetMinutes == nil ? nil : $0 } : written ?? stated
  }

  private static func unix(_ text: String) -> TimeFormat.Reading? {
    Int64(text).flatMap {
      (0...253_402_300_799).contains($0)
        ? TimeFormat.Reading(clock: Instant(seconds: $0), offsetMinutes: 0) : nil
    }
  }

  private func mistake(
    _ defect: Defect, _ text: String, in column: String, line: Int, unit: String
  ) -> PartnerFileError {
    let time = "the time \(quoted(text)) in \(printable(column))"
    let (problem, remedy) =
      switch defect {
      case .unreadable: ("\(time) cannot be read", remedy(for: text))
      case .early(let moment):
        ("\(time) would be \(moment), before there were postbacks", remedy(for: text))
      case .late(let moment):
        (
          "\(time) would be \(moment), which is not past",
          "check the order of day and month in --time-format, and the clock of the export in --time-zone"
        )
      case .notOneMoment(let count, let zone):
        (
          count == 0
            ? "\(time) is skipped in \(zone), where clocks go forward then"
            : "\(time) comes twice in \(zone), where clocks go back then",
          "export the times in UTC or with an offset"
        )
      }
    return PartnerFileError(line: line, unit: unit, problem: problem, remedy: remedy)
  }

  /// How to have a text read that is no time in this form.
  private func remedy(for text: String) -> String {
    let readings = SpreadsheetForm.readings(of: text).filter { $0.reading.instant >= Self.firstArrival }.map {
      "--time-format \($0.form.rawValue) reads \($0.reading.instant)"
    }
    guard readings.isEmpty else { return readings.joined(separator: ", ") }
    return format == nil
      ? "write 2026-11-20T08:15:00Z, or describe the form with --time-format, such as '%d/%m/%Y %H:%M'"
      : "correct the cell or --time-format; spaces and signs count"
  }
}
