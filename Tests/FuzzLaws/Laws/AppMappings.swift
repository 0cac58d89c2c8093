import SkanMapping

extension FuzzTarget {
  /// Documents for apps: whatever is read plays any user within its bounds, and goes on from what it saved.
  static let appMapping = FuzzTarget("app-mapping", dictionary: jsonWords + appMappingWords) { bytes in
    let mapping: AppMapping
    do throws(AppDocumentError) { mapping = try AppMapping(document: bytes) } catch {
      return try law(error.description.utf8.count <= 4_000, "a message is short")
    }
    var app = try AppConversions(mapping: mapping, store: MemoryStore())
    var copy = app
    let day: Int64 = 86_400_000
    var updates = try app.launch(at: 0)
    try law(try copy.launch(at: 0) == updates, "the same history gives the same updates")
    for (index, name) in ["buy", "e", "session", "purchase"].enumerated() {
      for step in 0..<8 {
        let event = AppEvent(
          name: name, time: Int64(step * step) * day / 3, micros: step == 7 ? .max : Int64(step) * 1_000_000,
          currency: index == 0 ? "USD" : "EUR")
        let made = try app.record(event)
        // What was saved is all that matters.
        copy = try AppConversions(mapping: mapping, store: copy.savedStore)
        try law(copy.recovery == .none, "a saved state is read again")
        try law(try copy.record(event) == made, "a relaunch changes no update")
        updates += made
        try law(app.stateBytes <= 1024, "the state is small: \(app.stateBytes)")
      }
    }
    for update in updates {
      try law((1...3).contains(update.window), "an update falls into a window")
      try law(update.fine.map { (0...63).contains($0) } ?? true, "a fine value has 6 bits")
      try law(update.window == 1 || update.fine == nil, "later windows have no fine value")
    }
  }

  private static let appMappingWords = [
    "format", "digest", "effective-from", "next", "protocol", "skan3", "skan4", "aak", "currency",
    "raise-only",
    "measurement-window-hours", "precedence", "highest-value", "list-order", "priority", "fine", "coarse",
    "value",
    "conversion-types", "install", "re-engagement", "events", "name", "count", "min", "max", "revenue",
    "from-micros",
    "to-micros", "active-hours", "from", "to", "lock", "window", "totals", "since-install", "rules", "buy",
    "USD", "EUR",
  ]
}
