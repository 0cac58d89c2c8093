import Values

// SQL for days and hours. SQLite's `/` and `%` round towards zero, and days and hours begin before 1970 too.

/// The quotient of a whole SQL expression, rounded towards the past as `Instant.day` and `Instant.hour` do.
private func flooredSQL(_ expression: String, by divisor: Int64) -> String {
  "((\(expression)) / \(divisor) - ((\(expression)) % \(divisor) < 0))"
}

/// The UTC day, counted from 1970-01-01, of a column of milliseconds.
func daySQL(_ milliseconds: String) -> String { flooredSQL(milliseconds, by: Day.milliseconds) }

/// The hour, counted from 1970-01-01T00:00:00Z, of a column of milliseconds.
func hourSQL(_ milliseconds: String) -> String { flooredSQL(milliseconds, by: Hour.milliseconds) }

/// The hour of its UTC day, 0 through 23, of a column of milliseconds.
func hourOfDaySQL(_ milliseconds: String) -> String {
  "(\(hourSQL(milliseconds)) - 24 * \(daySQL(milliseconds)))"
}

/// The UTC day of a column of hours.
func daySQL(ofHour hour: String) -> String { flooredSQL(hour, by: 24) }

/// The place among the values of an hour of a column of values; see `ConversionValue.slot`.
func slotSQL(_ value: String) -> String {
  "CASE WHEN \(value) IS NULL THEN 68 WHEN \(value) < 0 THEN 67 ELSE \(value) END"
}
