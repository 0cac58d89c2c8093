import Platform
import Postbacks

extension MetaConfiguration {
  /// The configuration as a mapping.
  ///
  /// A rule holds from its amount up; the next rule for the same events ends it. Lock rules are left out, because
  /// Meta's SDK never acts on them, and the number of a rule decides, not its place.
  ///
  /// - Throws: ``ImportDefect`` when no rule is left.
  public func mapping(_ context: ImportContext) throws(ImportDefect) -> ImportedMapping {
    var remarks: [ImportRemark] = [
      .init(
        code: .windowEdge,
        sentence: "the last moment of a window belongs to it for Meta's SDK, and to the next one here")
    ]
    if !currencies.isEmpty {
      remarks.append(
        .init(
          code: .currencyBooking,
          sentence:
            "Meta books money of unlisted currencies as \(defaultCurrency), one to one; here it is left out"
        ))
    }
    if CurrencyCode(defaultCurrency) == nil {
      remarks.append(
        .init(
          code: .currencyAssumed,
          sentence: "the default currency is not a listed one; \(context.currency) is taken"))
    }
    let currency = CurrencyCode(defaultCurrency) ?? context.currency
    let ladder = rules.map(\.events)
    let fine = rules.reversed().compactMap { rule -> FineRule? in
      guard let value = FineValue(Int64(rule.value)),
        let conditions = Self.conditions(rule.events, below: ladder, currency, &remarks)
      else {
        remarks.append(.init(code: .ruleDropped, sentence: "the rule for value \(rule.value) can never hold"))
        return nil
      }
      return FineRule(value: value, conditions: conditions)
    }
    guard !fine.isEmpty else { throw .noRule }
    var windows: [ConversionWindow: CoarseRules] = [:]
    for configuration in coarse {
      guard (1...3).contains(configuration.window),
        let window = ConversionWindow(rawValue: configuration.window - 1)
      else {
        remarks.append(
          .init(
            code: .ruleDropped, sentence: "there is no window \(configuration.window); its rules are left out"
          ))
        continue
      }
      let ladder = configuration.rules.map(\.events)
      windows[window] = CoarseRules(
        rules: configuration.rules.compactMap { rule in
          guard let conditions = Self.conditions(rule.events, below: ladder, currency, &remarks) else {
            remarks.append(
              .init(
                code: .ruleDropped,
                sentence:
                  "the rule for \(rule.value.rawValue) of window \(configuration.window) can never hold"))
            return nil
          }
          return CoarseRule(value: rule.value, conditions: conditions)
        })
    }
    for lock in locks {
      let window =
        switch lock {
        case .time(_, let window), .event(_, let window): window
        }
      remarks.append(
        .init(code: .lockIgnored, sentence: "a lock of window \(window) is written, but never acted on"))
    }
    let hours = cutoffDays.map { Int(clamping: ImportLog.hours(days: $0)) }
    let measured = hours.flatMap { (1...48).contains($0) ? $0 : nil }
    if measured == nil {
      remarks.append(
        .init(
          code: .cutoffDropped,
          sentence: (cutoffDays ?? 0) > 0
            ? "a cutoff of \(cutoffDays ?? 0) days lies outside the first window and is left out"
            : "there is no cutoff, for which Meta's SDK sets no fine value at all; here it does"))
    }
    let mapping = Mapping(
      name: context.name, app: context.app, currency: currency, effectiveFrom: context.effectiveFrom,
      device: context.device, isRaiseOnly: true,
      measurementWindowHours: measured, partners: [.meta],
      fine: fine,
      coarse: windows)
    return ImportedMapping(mapping: mapping, remarks: remarks)
  }

  /// The conditions of a rule; `nil` when they can never hold.
  private static func conditions(
    _ events: [MetaEvent], below ladder: [[MetaEvent]], _ currency: CurrencyCode,
    _ remarks: inout [ImportRemark]
  ) -> Conditions? {
    var conditions: [EventCondition] = []
    for event in events {
      guard let amounts = event.amounts else {
        conditions.append(EventCondition(name: event.name))
        continue
      }
      let codes = amounts.keys.sorted()
      guard let code = codes.first(where: { $0 == currency.text }) ?? codes.first, let amount = amounts[code]
      else { return nil }
      for other in codes where other != code {
        remarks.append(
          .init(
            code: .alternativeCurrency,
            sentence: "\(event.name) may also come with an amount in \(other), which is left out"))
      }
      let steps = ladder.compactMap { rung in
        rung.map(\.name) == events.map(\.name)
          ? rung.first { $0.name == event.name }?.amounts?[code] : nil
      }
      let next = steps.filter { $0 > amount }.min()
      guard let own = CurrencyCode(code),
        let range = AmountRange(lower: .open(amount), upper: next.map { .closed($0) } ?? .unbounded)
      else { return nil }
      if let next {
        remarks.append(
          .init(
            code: .upperEndImplied, sentence: "\(event.name) above \(amount) ends at \(next), the next rule"))
      } else {
        remarks.append(
          .init(code: .noWorth, sentence: "nothing says what \(event.name) above \(amount) is worth"))
      }
      conditions.append(EventCondition(name: event.name, revenue: RevenueCondition(range, own)))
    }
    return Conditions(events: conditions)
  }
}
