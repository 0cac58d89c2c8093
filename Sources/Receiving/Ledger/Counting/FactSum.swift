import Postbacks
import SQLite
import Values
import Verification

/// The one count of postbacks: of a question, how many postbacks each group has of each kind.
///
/// Blocks are added a column at a time, so that each step is a loop over numbers.
struct FactSum {
  private let query: CampaignQuery
  /// Of the query's dimensions.
  private let definitions: [DimensionDefinition]
  /// The codes of the environments that count.
  private let environments: Set<Int64>
  private let apps: Set<Int64>
  /// The rows of the networks that count; `nil` for all.
  private let networks: Set<Int64>?
  /// Whether winning postbacks of first windows count alone.
  private let isOfFirstWindows: Bool
  private let keepsHours: Bool
  private let codes: CampaignCodes
  private var conditions: [FactCondition]
  private let sourceConditions:
    [(condition: CampaignCondition, code: @Sendable (PostbackFacts.Source) -> Int64)]
  /// Dimensions that not all postbacks have, and how many do.
  private let partial: [CampaignDimension]
  private var carrying: [Int64]
  private var postbacks: Int64 = 0

  private(set) var groups: FactGroups
  private(set) var kinds: FactKinds
  private(set) var runs = FactRuns()
  /// By group.
  private(set) var arrivalDays: [ArrivalDays] = []
  /// Whether a group has postbacks of more digits than distinguish it.
  private(set) var areShortened: [Bool] = []

  /// By number; `nil` for a source whose postbacks do not count.
  private var sources: [Source?] = []
  /// The class of each source's kinds; what ``uncounted`` and ``unknown`` are for the others.
  private var kindClasses: [Int] = []
  private var sourceGroups: [UInt64] = []
  private var haveWindows: [Bool] = []
  private static let uncounted = -1
  private static let unknown = -2
  private var days: ReportDays
  private(set) var selection: [Selected] = []
  private var keys: [UInt64] = []
  private var groupNumbers: [UInt32] = []
  private var kindNumbers: [UInt32] = []

  private struct Source {
    let source: FactSource
    let kindClass: Int
    let group: UInt64
    /// Whether the conditions that it decides include it.
    let isIncluded: Bool
  }

  /// A postback of a block that counts.
  struct Selected {
    let place: Int
    let source: Int
    let hour: Int64
    let utcDay: Int32
    /// By the clock of the question.
    let day: Int32
  }

  /// The UTC days of arrival that a group has.
  struct ArrivalDays {
    private(set) var first = Int32.max
    private(set) var last = Int32.min

    mutating func extend(to day: Int32) {
      first = min(first, day)
      last = max(last, day)
    }

    mutating func extend(to days: Self) {
      first = min(first, days.first)
      last = max(last, days.last)
    }
  }

  /// - Parameters:
  ///   - networks: The rows of the query's networks; `nil` for all.
  ///   - keepingHours: Whether ``runs`` has the hours of arrival.
  ///   - environments: The environments that count instead of the query's own.
  init(
    _ query: CampaignQuery, _ codes: CampaignCodes, networks: [Int64]?, ofFirstWindows: Bool = false,
    keepingHours: Bool = false, _ times: FactTimes, environments: [Environment]? = nil
  ) {
    self.query = query
    definitions = query.dimensions.map(\.definition)
    self.codes = codes
    self.environments = Set((environments ?? [query.environment]).map(\.code))
    apps = Set(query.apps.map(\.number))
    self.networks = networks.map { Set($0) }
    isOfFirstWindows = ofFirstWindows
    keepsHours = keepingHours
    sourceConditions = query.conditions.compactMap { condition in
      condition.dimension.definition.codes.ofSource.map { (condition, $0) }
    }
    conditions = query.conditions.filter { $0.dimension.definition.codes.ofSource == nil }
      .map { FactCondition($0) }
    partial = query.namedDimensions.filter(\.isOfPostbacks).sorted { $0.rawValue < $1.rawValue }
    carrying = partial.map { _ in 0 }
    groups = FactGroups(query.dimensions)
    kinds = FactKinds(times)
    days = ReportDays(query)
  }

  /// Counts everything that is stored.
  ///
  /// - Parameter blocks: Blocks after which a second processor helps; `nil` for none. Where the hours are kept it never
  ///   does: from these, figures with fractions are made, whose last digits depend on the order.
  mutating func addAll(on connection: borrowing LedgerDatabase, helpedAfter blocks: Int?) throws(LedgerError)
  {
    var second: SecondCount?
    let empty = self
    var count = 0
    try FactBlocks.forEach(columns, in: query.moments, on: connection) { block, known throws(LedgerError) in
      if let blocks, count == blocks, !keepsHours { second = try? SecondCount(empty) }
      count += 1
      // Sources have the same numbers in both.
      learn(known)
      if let second, second.take(copy block, known) { return }
      try add(block, known)
    }
    if let second { merge(try second.finished()) }
    runs.close(groupCount: groups.count)
  }

  /// Adds what another count of the same question has found, which knows no source that this one does not.
  private mutating func merge(_ other: FactSum) {
    postbacks += other.postbacks
    for index in carrying.indices { carrying[index] += other.carrying[index] }
    let groupNumbers = groups.numbers(adding: other.groups)
    makeRoomForGroups()
    for (index, group) in groupNumbers.enumerated() {
      let group = Int(group)
      arrivalDays[group].extend(to: other.arrivalDays[index])
      areShortened[group] = areShortened[group] || other.areShortened[index]
    }
    var others = other.runs
    others.close(groupCount: other.groups.count)
    runs.close(groupCount: groups.count)
    runs.merge(
      others, groups: groupNumbers, kinds: kinds.numbers(adding: other.kinds), groupCount: groups.count)
  }

  /// A group as a row, without counts.
  func row(_ group: Int) -> CampaignRow {
    let days = arrivalDays[group]
    var row = CampaignRow(
      days: Day(number: days.first)...Day(number: days.last), counts: .zero)
    for (place, dimension) in query.dimensions.enumerated() {
      row[dimension] = definitions[place].value(groups.code(group, place), codes)
    }
    return row
  }

  /// How many of the postbacks of the days, apps and networks have each dimension that not all have.
  var coverage: [CampaignDimension: CampaignAnswer.Coverage] {
    Dictionary(
      uniqueKeysWithValues: zip(partial, carrying).map {
        ($0, CampaignAnswer.Coverage(carrying: $1, postbacks: postbacks))
      })
  }

  private var columns: [FactBlock.Column] {
    let named = query.namedDimensions.flatMap(\.definition.codes.columns)
    return FactBlock.Column.allCases.filter { ([.second, .source, .detail] + named).contains($0) }
  }

  mutating func add(_ block: borrowing FactBlock, _ known: FactSources) throws(LedgerError) {
    learn(known)
    try select(block)
    for index in conditions.indices {
      let codes = codes(of: conditions[index].condition.dimension, block)
      selection = codes.indices.filter { conditions[index].admits(codes[$0], self.codes) }.map {
        selection[$0]
      }
    }
    guard !selection.isEmpty else { return }
    let shortened = findGroups(block)
    let details = block.differences(.detail)
    let least = UInt32(truncatingIfNeeded: block.least(.detail))
    var found: [UInt64] = []
    swap(&found, &keys)
    found.removeAll(keepingCapacity: true)
    found.append(addingCapacity: selection.count) { found in
      for postback in selection {
        found.append(
          kinds.key(
            kindClasses[postback.source], hour: postback.hour, day: postback.utcDay,
            detail: least &+ details[postback.place]))
      }
    }
    swap(&found, &keys)
    kinds.find(keys, &kindNumbers)
    extendGroups(shortened)
    runs.add(
      groupNumbers, kindNumbers,
      hours: keepsHours ? selection.map { Int32(truncatingIfNeeded: $0.hour) } : [], groupCount: groups.count
    )
  }

  /// Takes up sources that were not known yet.
  private mutating func learn(_ known: FactSources) {
    while sources.count <= known.last {
      let codes = known.sources[Int64(sources.count)]
      let source = codes.flatMap { FactSource($0) }.flatMap { admitted($0) }
      kindClasses.append(source?.kindClass ?? (codes == nil ? Self.unknown : Self.uncounted))
      sourceGroups.append(source?.group ?? 0)
      haveWindows.append(source?.source.version.hasWindows ?? false)
      sources.append(source)
    }
  }

  private mutating func admitted(_ source: FactSource) -> Source? {
    let codes = source.codes
    guard environments.contains(codes.environment), apps.isEmpty || apps.contains(codes.app),
      networks?.contains(codes.network) ?? true,
      !isOfFirstWindows || (source.window == .first && source.outcome != .assist)
    else { return nil }
    let isIncluded = sourceConditions.allSatisfy {
      $0.condition.admits(self.codes.word(of: $0.condition.dimension, $0.code(codes)))
    }
    // What conditions leave out is counted for the coverage of dimensions alone.
    guard isIncluded || !partial.isEmpty else { return nil }
    return Source(
      source: source, kindClass: kinds.classNumber(of: source), group: groups.sourceNumber(of: codes),
      isIncluded: isIncluded)
  }

  private mutating func select(_ block: borrowing FactBlock) throws(LedgerError) {
    let (seconds, numbers) = (block.differences(.second), block.differences(.source))
    let details = block.differences(.detail)
    let (second, number, detail) = (block.least(.second), block.least(.source), block.least(.detail))
    guard block.count == 0 || number >= 0 else { throw Self.unknownSource }
    let (kindClasses, days) = (kindClasses, days)
    selection.removeAll(keepingCapacity: true)
    try selection.append(addingCapacity: block.count) { selection throws(LedgerError) in
      for place in 0..<block.count {
        let source = Int(number) + Int(numbers[place])
        let kindClass = source < kindClasses.count ? kindClasses[source] : Self.unknown
        guard kindClass != Self.unknown else { throw Self.unknownSource }
        guard kindClass != Self.uncounted, detail + Int64(details[place]) < PostbackFacts.unknownDetail else {
          continue
        }
        let moment = second &+ Int64(seconds[place])
        let hour = moment >= 0 ? moment / 3600 : (moment &- 3599) / 3600
        let utcDay = Int32(truncatingIfNeeded: hour >= 0 ? hour / 24 : (hour - 23) / 24)
        let day = days.day(of: moment, utcDay: utcDay)
        guard days.contains(day) else { continue }
        selection.append(Selected(place: place, source: source, hour: hour, utcDay: utcDay, day: day))
      }
    }
    count(block)
    if !sourceConditions.isEmpty {
      selection = selection.filter { sources[$0.source]?.isIncluded ?? false }
    }
  }

  private static let unknownSource = LedgerError.wrongFacts(
    "columns of postbacks name a source that is not in fact_source")

  /// Counts how many have what not all have, whatever the conditions.
  private mutating func count(_ block: borrowing FactBlock) {
    postbacks += Int64(selection.count)
    for (index, dimension) in partial.enumerated() {
      carrying[index] += Int64(codes(of: dimension, block).count { $0 >= 0 })
    }
  }

  /// The codes of a dimension that sources do not decide, of the selected postbacks; -1 for none.
  private func codes(of dimension: CampaignDimension, _ block: borrowing FactBlock) -> [Int64] {
    switch dimension.definition.codes {
    case .ofSource: return []
    case .ofDay(let code):
      // Postbacks come by days.
      var codes = selection.map { Int64($0.day) }
      var span = codes.mutableSpan
      var last = (day: Int64.min, code: Int64(-1))
      for place in span.indices {
        if span[place] != last.day { last = (span[place], code(Day(number: selection[place].day))) }
        span[place] = last.code
      }
      return codes
    case .ofCampaign:
      let (least, differences) = (block.least(.campaign), block.differences(.campaign))
      return selection.map {
        CampaignDigits(number: least &+ Int64(differences[$0.place]))
          .code(isSourceIdentifier: haveWindows[$0.source], keeping: query.digits)
      }
    case .ofPostbacks(_, _, let codes): return codes(self, copy block)
    }
  }

  /// What is made of the numbers that the selected postbacks have in a column.
  @inline(__always)
  func column(_ column: FactBlock.Column, _ block: FactBlock, _ code: (Int64) -> Int64) -> [Int64] {
    let (least, differences) = (block.least(column), block.differences(column))
    return selection.map { code(least &+ Int64(differences[$0.place])) }
  }

  func tiers(_ block: FactBlock) -> [Int64] {
    let (details, campaigns) = (block.values(.detail), block.values(.campaign))
    let (publishers, countries) = (block.values(.publisher), block.values(.country))
    return selection.map { postback in
      let place = postback.place
      guard let source = sources[postback.source]?.source,
        let value = ConversionValue(slot: details[place] % PostbackFacts.slots),
        let tier = PostbackTier(
          version: source.version, window: source.window, outcome: source.outcome, value: value,
          digits: CampaignDigits(number: campaigns[place]).count,
          hasDetail: publishers[place] != 0 || countries[place] != 0)
      else { return -1 }
      return Int64(tier.rawValue)
    }
  }

  /// Finds the groups of the selected postbacks; returns which of these have more digits than their group.
  private mutating func findGroups(_ block: borrowing FactBlock) -> [Bool] {
    keys.removeAll(keepingCapacity: true)
    keys.append(contentsOf: repeatElement(0, count: selection.count * groups.width))
    groups.pack(sources: selection.map { sourceGroups[$0.source] }, into: &keys)
    var shortened: [Bool] = []
    for (place, dimension) in query.dimensions.enumerated() where definitions[place].codes.ofSource == nil {
      let codes = codes(of: dimension, block)
      groups.pack(place, codes, into: &keys)
      if dimension == .campaign, query.digits != nil {
        let (least, campaigns) = (block.least(.campaign), block.differences(.campaign))
        shortened = zip(selection, codes).map { least + Int64(campaigns[$0.place]) != $1 >> 1 }
      }
    }
    groups.find(keys, count: selection.count, &groupNumbers)
    return shortened
  }

  private mutating func extendGroups(_ shortened: [Bool]) {
    makeRoomForGroups()
    let (numbers, selection) = (groupNumbers, selection)
    var days = arrivalDays.mutableSpan
    for index in numbers.indices { days[Int(numbers[index])].extend(to: selection[index].utcDay) }
    for (index, isShortened) in shortened.enumerated() where isShortened {
      areShortened[Int(groupNumbers[index])] = true
    }
  }

  private mutating func makeRoomForGroups() {
    let more = groups.count - arrivalDays.count
    arrivalDays += repeatElement(ArrivalDays(), count: more)
    areShortened += repeatElement(false, count: more)
  }

  /// The group of something that is no postback, which came on a UTC day; `nil` where it does not count.
  mutating func group(
    of codes: PostbackFacts.Source, _ campaign: CampaignDigits, utcDay: Int32
  ) -> Int? {
    guard days.contains(utcDay), let source = FactSource(codes).flatMap({ admitted($0) }), source.isIncluded
    else { return nil }
    func code(_ dimension: CampaignDimension) -> Int64 {
      switch dimension.definition.codes {
      case .ofDay(let code): code(Day(number: utcDay))
      case .ofCampaign:
        campaign.code(isSourceIdentifier: source.source.version.hasWindows, keeping: query.digits)
      case .ofSource, .ofPostbacks: -1
      }
    }
    for index in conditions.indices {
      guard conditions[index].admits(code(conditions[index].condition.dimension), self.codes) else {
        return nil
      }
    }
    keys = [UInt64](repeating: 0, count: groups.width)
    groups.pack(sources: [source.group], into: &keys)
    for (place, dimension) in query.dimensions.enumerated() where definitions[place].codes.ofSource == nil {
      groups.pack(place, [code(dimension)], into: &keys)
    }
    groups.find(keys, count: 1, &groupNumbers)
    let group = Int(groupNumbers[0])
    makeRoomForGroups()
    arrivalDays[group].extend(to: utcDay)
    return group
  }
}
