extension AppMapping {
  /// The number of the form that this library reads.
  public static let format: Int64 = 1

  private enum Precedence: String, CaseIterable {
    case highestValue = "highest-value"
    case listOrder = "list-order"
    case priority
  }

  private enum Totals: String, CaseIterable {
    case sinceInstall = "since-install"
    case window
  }

  /// Reads an app document; `schemas/app-mapping.schema.json` describes it.
  ///
  /// - Parameter document: JSON in UTF-8, ``largestDocument`` bytes at most.
  /// - Throws: The first thing that is wrong: an unknown or missing member, a value outside its range, a document of
  ///   another format, or rules that count more than ``mostCounterBytes`` can hold.
  public init(document: [UInt8]) throws(AppDocumentError) {
    guard document.count <= Self.largestDocument else {
      throw AppDocumentError(
        place: "document", found: "\(document.count) bytes", allowed: "at most \(Self.largestDocument) bytes")
    }
    let root = AppPlace(try AppJSONReader.read(document))
    // Before the names of members, which another format has others of.
    if case .object(let members) = root.value, let format = members.first(where: { $0.name == "format" }) {
      _ = try AppPlace(format.value, "format").integer(Self.format...Self.format)
    }
    let members = try root.members([
      "format", "app", "name", "digest", "effective-from", "next", "protocol", "currency", "raise-only",
      "measurement-window-hours", "precedence", "fine", "coarse",
    ])
    _ = try root.needed("format", of: members)
    app = try root.needed("app", of: members).integer(0...Int64.max)
    name = try root.needed("name", of: members).text()
    digest = try root.needed("digest", of: members).digest()
    effectiveFrom = try root.needed("effective-from", of: members).moment()
    next = try Self.next(members["next"])
    device = try root.needed("protocol", of: members).word()
    let currency = try root.needed("currency", of: members).currency()
    isRaiseOnly = try members["raise-only"]?.truth() ?? false || device == .skan3
    let hours = try members["measurement-window-hours"]?.integer(1...AppTimers.longestHours)
    fineEnd =
      device.hasWindows
      ? min((hours ?? AppTimers.longestHours) * 3600, AppTimers.windowEnds[0]) : hours.map { $0 * 3600 }
    let precedence: Precedence = try root.needed("precedence", of: members).word()

    var reader = AppRuleReader(currency: currency)
    let fine = try root.needed("fine", of: members).list(atMost: 4096)
    var fineRules: [AppRule] = []
    for place in fine { fineRules.append(try reader.fineRule(place)) }
    self.fine =
      switch precedence {
      case .listOrder: fineRules
      case .highestValue: Self.ordered(fineRules) { (Int64($0.value), 0) }
      case .priority: Self.ordered(fineRules) { ($0.priority, Int64($0.value)) }
      }
    var windows: [[AppRule]] = [[], [], []]
    var seen: Set<Int> = []
    for place in try members["coarse"]?.list(atMost: 3) ?? [] {
      let members = try place.members(["window", "totals", "rules"])
      let window = Int(try place.needed("window", of: members).integer(1...3)) - 1
      guard seen.insert(window).inserted else {
        throw place.wrong("each window once", found: "window \(window + 1) a second time")
      }
      let totals: Totals = try members["totals"]?.word() ?? .sinceInstall
      var rules: [AppRule] = []
      for rule in try place.needed("rules", of: members).list(atMost: 1024) {
        rules.append(try reader.coarseRule(rule, ofWindow: totals == .window))
      }
      windows[window] = Self.ordered(rules) { (Int64($0.value), 0) }
    }
    coarse = windows
    counters = reader.counters
    self.document = document
    guard counters.mostBytes <= Self.mostCounterBytes else {
      throw AppDocumentError(
        place: "document", found: "rules whose counters need \(counters.mostBytes) bytes",
        allowed: "at most \(Self.mostCounterBytes) bytes: 10 for each sum of money, 1 to 5 for each event")
    }
  }

  /// Puts the highest rank first, and of equal ranks the first rule.
  private static func ordered(_ rules: [AppRule], by rank: (AppRule) -> (Int64, Int64)) -> [AppRule] {
    rules.enumerated().sorted { a, b in
      let (first, second) = (rank(a.element), rank(b.element))
      return first == second ? a.offset < b.offset : first > second
    }.map(\.element)
  }

  private static func next(_ place: AppPlace?) throws(AppDocumentError) -> Next? {
    guard let place else { return nil }
    let members = try place.members(["effective-from", "digest"])
    return Next(
      effectiveFrom: try place.needed("effective-from", of: members).moment(),
      digest: try place.needed("digest", of: members).digest())
  }
}

private struct AppRuleReader {
  private static let conditions = ["conversion-types", "events", "revenue", "active-hours"]

  let currency: String
  var counters = AppCounters()

  init(currency: String) { self.currency = currency }

  mutating func fineRule(_ place: AppPlace) throws(AppDocumentError) -> AppRule {
    let members = try place.members(["value"] + Self.conditions + ["coarse", "lock", "priority"])
    let value = Int8(try place.needed("value", of: members).integer(0...63))
    return try rule(members, value: value, ofWindow: false)
  }

  mutating func coarseRule(_ place: AppPlace, ofWindow: Bool) throws(AppDocumentError) -> AppRule {
    let members = try place.members(["value"] + Self.conditions + ["lock"])
    let value: AppCoarseValue = try place.needed("value", of: members).word()
    return try rule(members, value: value.rank, ofWindow: ofWindow)
  }

  private mutating func rule(
    _ members: [String: AppPlace], value: Int8, ofWindow: Bool
  ) throws(AppDocumentError) -> AppRule {
    var tests: [AppRule.Test] = []
    if let revenue = members["revenue"] {
      tests.append(try sum(revenue, ofWindow: ofWindow) { .total(currency: $0) })
    }
    for event in try members["events"]?.list(atMost: 16) ?? [] {
      tests += try self.event(event, ofWindow: ofWindow)
    }
    return AppRule(
      value: value, types: try types(members["conversion-types"]),
      seconds: try seconds(members["active-hours"]), tests: tests, coarse: try members["coarse"]?.word(),
      lock: try members["lock"]?.truth() ?? false,
      priority: try members["priority"]?.integer(-1_000_000...1_000_000) ?? 0)
  }

  private mutating func event(
    _ place: AppPlace, ofWindow: Bool
  ) throws(AppDocumentError) -> [AppRule.Test] {
    let members = try place.members(["name", "count", "revenue"])
    let name = try place.needed("name", of: members).text()
    var (least, most): (Int64, Int64?) = (1, nil)
    if let count = members["count"] {
      let members = try count.members(["min", "max"])
      least = try count.needed("min", of: members).integer(0...1_000_000_000)
      most = try members["max"]?.integer(least...1_000_000_000)
    }
    let counter = counters.place(
      of: .count(event: name), ofWindow: ofWindow, upTo: most.map { $0 + 1 } ?? least)
    var tests = [AppRule.Test(counter: counter, least: least, most: most ?? .max)]
    if let revenue = members["revenue"] {
      tests.append(try sum(revenue, ofWindow: ofWindow) { .revenue(event: name, currency: $0) })
    }
    return tests
  }

  private mutating func sum(
    _ place: AppPlace, ofWindow: Bool, _ key: (String) -> AppCounters.Sum
  ) throws(AppDocumentError) -> AppRule.Test {
    let members = try place.members(["from-micros", "to-micros", "currency"])
    let least = try members["from-micros"]?.integer(.min ... .max) ?? .min
    let most = try members["to-micros"]?.integer(least...Int64.max) ?? .max
    let currency = try members["currency"]?.currency() ?? currency
    return AppRule.Test(
      counter: counters.place(of: key(currency), ofWindow: ofWindow), least: least, most: most)
  }

  private func types(_ place: AppPlace?) throws(AppDocumentError) -> [AppConversionType] {
    guard let place else { return AppConversionType.allCases }
    var types: [AppConversionType] = []
    for element in try place.list(atMost: 2) { types.append(try element.word()) }
    guard !types.isEmpty else { throw place.wrong("at least one type", found: "no type") }
    return types
  }

  private func seconds(_ place: AppPlace?) throws(AppDocumentError) -> Range<Int64>? {
    guard let place else { return nil }
    let members = try place.members(["from", "to"])
    let from = try place.needed("from", of: members).integer(0...AppTimers.longestHours - 1)
    let to = try place.needed("to", of: members).integer(from + 1...AppTimers.longestHours)
    return from * 3600..<to * 3600
  }
}
