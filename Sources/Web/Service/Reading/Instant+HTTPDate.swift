import Values

extension Instant {
  /// The moment as HTTP has it, to the second: `Sun, 06 Nov 1994 08:49:37 GMT`.
  ///
  /// Source: RFC 9110, section 5.6.7.
  var httpDate: String {
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    // 1970-01-01, day 0, was a Thursday.
    let weekday = days[(Int(day.number) % 7 + 7) % 7]
    let parts = "\(Instant(seconds: seconds))".split(whereSeparator: { "-TZ".contains($0) })
    let month = Int(parts[1]).map { months[$0 - 1] } ?? ""
    return "\(weekday), \(parts[2]) \(month) \(parts[0]) \(parts[3]) GMT"
  }
}
