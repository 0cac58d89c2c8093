import JSONText
package import Values

/// Where the postbacks of a file have their moments of arrival, and how these are written.
package struct ArrivalTimes: Sendable {
  /// The member of a postback, or the column of an export; `nil` for those of the partner, or none.
  let name: String?
  /// How moments are written; `nil` for RFC 3339, a date and time in UTC, or Unix time.
  let format: TimeFormat?
  let hasFallback: Bool

  package init(in name: String? = nil, as format: TimeFormat? = nil, hasFallback: Bool = false) {
    self.name = name
    self.format = format
    self.hasFallback = hasFallback
  }

  var remedy: String {
    format == nil
      ? "write 2026-11-20T08:15:00Z, or describe the form with --time-format, such as '%d/%m/%Y %H:%M'"
      : "correct the cell or --time-format; spaces and signs count, and moments are in UTC unless %z has an offset"
  }

  /// The moment in a member of a postback; `nil` where the postback has no such member.
  ///
  /// - Throws: ``PartnerFileError`` where it has one that can't be read.
  func time(in body: [UInt8], number: Int) throws(PartnerFileError) -> Instant? {
    guard let name, let node = try? JSONReader.read(body),
      let value = node.value.object?[name]?.value
    else { return nil }
    let time: Instant? =
      switch value {
      case .string(let text): format.map { $0.instant(text) } ?? Instant(text)
      case .number(let number):
        Int64(number.text).flatMap { (0...253_402_300_799).contains($0) ? Instant(seconds: $0) : nil }
      default: nil
      }
    guard let time else {
      throw PartnerFileError(
        line: number, unit: "postback",
        problem: "the time \(quoted(JSONOutput(value).text())) in \(printable(name)) cannot be read",
        remedy: remedy)
    }
    return time
  }
}
