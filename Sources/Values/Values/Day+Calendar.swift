extension Day {
  /// The Monday of its ISO 8601 week.
  public var monday: Day {
    // 1970-01-01 was a Thursday.
    Day(number: number - ((number + 3) % 7 + 7) % 7)
  }

  public var startOfMonth: Day { Day(number: number - Int32(civil.day) + 1) }

  /// The month as `2026-11`.
  public var monthText: String { String(description.dropLast(3)) }

  public var year: Int64 { civil.year }
}
