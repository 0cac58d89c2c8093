import Mappings
import Postbacks
import Values

/// Turns tables of values into a mapping.
struct MappingWriter {
  let request: DesignRequest

  func mapping(_ design: CodeDesign, _ coarse: CoarseDesign?) -> Mapping {
    let table = design.table
    let fine = design.codes.indices.compactMap { code -> FineRule? in
      let (block, range) = table.place(of: code)
      let edges = table.edges[block]
      guard let value = FineValue(Int64(code)) else { return nil }
      return FineRule(
        value: value,
        conditions: conditions(
          from: range == 0 ? nil : edges[range - 1], to: range == edges.count ? nil : edges[range],
          design.codes[code], split: design.order.choice.split, block: block, table))
    }
    var windows: [ConversionWindow: CoarseRules] = [:]
    for (window, levels) in coarse?.windows ?? [:] where !levels.isEmpty {
      windows[window] = CoarseRules(
        totals: window == .first ? .sinceInstall : coarse?.laterTotals ?? .sinceInstall,
        rules: levels.map {
          CoarseRule(
            value: $0.value, conditions: conditions(from: $0.from, to: $0.to, $0.code))
        })
    }
    if let window = request.overlapWindow { windows[window] = CoarseRules(rules: SourceOverlapRules.rules) }
    return Mapping(
      name: request.name, app: request.app, currency: request.currency,
      effectiveFrom: request.effectiveFrom, device: request.device,
      measurementWindowHours: table.windowHours, fine: fine, coarse: windows)
  }

  private func hours(_ block: Int, _ table: CodeTable) -> HourRange? {
    HourRange(from: block * 24, to: min(block * 24 + 24, table.windowHours))
  }

  private func conditions(
    from: Int64?, to: Int64?, _ code: CodeDesign.Code, split: DesignSplit, block: Int, _ table: CodeTable
  ) -> Conditions {
    switch split {
    case .none: return conditions(from: from, to: to, code)
    case .days: return conditions(from: from, to: to, code, hours: hours(block, table))
    case .event(let event):
      let count = block == 0 ? CountRange(min: 0, max: 0) : .atLeastOnce
      return conditions(
        from: from, to: to, code, others: count.map { [EventCondition(name: event.name, count: $0)] } ?? [])
    }
  }

  private func conditions(
    from: Int64?, to: Int64?, _ code: CodeDesign.Code, hours: HourRange? = nil, others: [EventCondition] = []
  ) -> Conditions {
    if let event = request.target.event {
      // Counts are millions here, and an edge may lie between two of them.
      let least = from.map { Int(($0 + 999_999) / 1_000_000) } ?? 0
      let most = to.map { Int(($0 + 999_999) / 1_000_000) - 1 }
      let isAsked = from != nil || to != nil
      let events = CountRange(min: least, max: most).map { [EventCondition(name: event, count: $0)] }
      return Conditions(events: (isAsked ? events ?? [] : []) + others, activeHours: hours)
    }
    let low = amount(code.low)
    let representative = max(low, amount(code.mean))
    let range = AmountRange(
      lower: from.map { .closed(Amount(micros: $0)) } ?? .unbounded,
      upper: to.map { .open(Amount(micros: $0)) } ?? .unbounded)
    let revenue = range.flatMap {
      RevenueCondition(
        $0, request.currency, low: low, representative: representative,
        high: max(representative, amount(code.high)))
    }
    return Conditions(events: others, revenue: revenue, activeHours: hours)
  }

  /// A sum in units, to the nearest ten-thousandth: more digits than a mean of users deserves would not be read.
  private func amount(_ units: Double) -> Amount {
    let steps = (units * 1e4).rounded()
    guard abs(steps) < 9e16 else { return Amount(micros: steps < 0 ? -.max : .max) }
    return Amount(micros: Int64(steps) * 100)
  }
}
