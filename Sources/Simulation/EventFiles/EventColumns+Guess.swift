import Values

// Files of other systems call the columns otherwise; what they are probably called can be guessed.

extension EventColumn {
  /// Names that other systems have for the column, but for case and separators.
  package var otherNames: [String] {
    switch self {
    case .user:
      [
        "user_id", "install_id", "uid", "device_id", "idfv", "idfa", "player_id", "customer_user_id",
        "appsflyer_id", "adid", "id",
      ]
    case .time:
      [
        "timestamp", "ts", "event_time", "time_utc", "event_timestamp", "date_time", "created_at", "date",
      ]
    case .event: ["event_name", "name", "event_type", "action", "type"]
    case .revenue: ["amount", "event_revenue", "price", "value", "usd"]
    case .currency: ["currency_code", "event_currency", "iso_currency"]
    case .campaign: ["campaign_id", "campaign_name", "source"]
    case .installed: ["install_time", "installed_at", "first_launch"]
    case .conversionTag: ["conversion_tag", "tag"]
    case .sourceApp: ["source_app_id", "publisher_item_identifier", "publisher_app"]
    case .country: ["country_code", "storefront", "geo"]
    }
  }
}

extension EventColumns {
  /// The option that finds the columns which a file calls otherwise.
  ///
  /// - Parameter names: The names of the file's columns.
  /// - Returns: The option; `nil` where nothing has to be found.
  func cure(forNames names: [String]) -> Sentence? {
    if names.count == 1, names[0].contains("|") {
      return Sentence("separate the cells with commas; this header has bars")
    }
    var free = names.filter { name in !EventColumn.allCases.contains { self.name(of: $0) == name } }
    var pairs: [String] = []
    for column in EventColumn.allCases {
      if names.contains(name(of: column)) {
        if let other = renamed[column] { pairs.append("\(column.rawValue)=\(other)") }
        continue
      }
      guard EventColumn.required.contains(column) || renamed[column] != nil else { continue }
      let words = [name(of: column), column.rawValue] + column.otherNames
      let guess = ColumnGuess.name(for: words, among: free)
      free.removeAll { $0 == guess }
      pairs.append("\(column.rawValue)=\(guess ?? "NAME")")
    }
    guard !pairs.isEmpty else { return nil }
    let isWhole = !pairs.contains { $0.hasSuffix("=NAME") }
    let option = "--columns \(pairs.joined(separator: ","))"
    return isWhole
      ? Sentence(name: option)
      : Sentence("\(name: option), with the file's own name of the column in place of NAME")
  }
}
