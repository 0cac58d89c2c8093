package import JSONText
import Mappings
import Postbacks
import Values

extension MetaConfiguration {
  /// Reads a configuration as a mapping.
  ///
  /// A rule holds from its amount up; the next rule for the same events ends it. Lock rules are left out, because
  /// Meta's SDK never acts on them, and the number of a rule decides, not its place.
  ///
  /// - Throws: ``ImportDefect`` when Meta's SDK would reject the document, or no rule is left.
  package static func mapping(
    _ node: JSONNode, _ context: ImportContext
  ) throws(ImportDefect) -> ImportedMapping {
    guard let configuration = Self(node) else { throw .notThisFormat }
    var log = ImportLog(context)
    log.remarkUnread(inMetaFile: node)
    return try configuration.mapping(&log)
  }

  private func mapping(_ log: inout ImportLog) throws(ImportDefect) -> ImportedMapping {
    let context = log.context
    log.add(
      .windowEdge,
      Sentence("the last moment of a window is in that window for Meta's SDK, and in the next one here"))
    if !currencies.isEmpty {
      log.add(
        .currencyBooking,
        Sentence(
          "Meta counts amounts in unlisted currencies as \(name: defaultCurrency), one to one; here they are "
            + "dropped"))
    }
    let stated = CurrencyCode(defaultCurrency)
    if stated == nil {
      log.add(
        .currencyAssumed, Sentence("the default currency is not a listed one; \(context.currency) is taken"))
    }
    let currency = stated ?? context.currency
    let ladder = rules.map(\.events)
    var fine: [FineRule] = []
    for rule in rules.reversed() {
      do throws(RuleFault) {
        guard fine.count < ImportLog.mostRules else {
          throw RuleFault(Sentence("there are more than \(ImportLog.mostRules)"))
        }
        guard let value = FineValue(Int64(rule.value)) else {
          throw RuleFault(Sentence("it is not one of 0 through 63"))
        }
        fine.append(
          FineRule(value: value, conditions: try Self.conditions(rule.events, below: ladder, currency, &log)))
      } catch { log.drop(Sentence("value \(rule.value)"), error) }
    }
    let windows = coarse(currency, &log)
    guard !fine.isEmpty || !windows.isEmpty else { throw .noRule }
    for lock in locks {
      let window =
        switch lock {
        case .time(_, let window), .event(_, let window): window
        }
      log.add(.lockIgnored, Sentence("a lock of window \(window) is written, but never acted on"))
    }
    let hours = measurementHours(&log)
    return try log.imported(
      currency: currency, isRaiseOnly: true, measurementWindowHours: hours, partners: [.meta], fine: fine,
      coarse: windows)
  }

  private func coarse(_ currency: CurrencyCode, _ log: inout ImportLog) -> [ConversionWindow: CoarseRules] {
    var windows: [ConversionWindow: CoarseRules] = [:]
    for configuration in coarse {
      let ladder = configuration.rules.map(\.events)
      var rules: [CoarseRule] = []
      do throws(RuleFault) {
        guard (1...3).contains(configuration.window),
          let window = ConversionWindow(rawValue: configuration.window - 1)
        else { throw RuleFault(Sentence("there is no such window")) }
        guard windows[window] == nil else {
          throw RuleFault(Sentence("it is a duplicate; the first one counts"))
        }
        for rule in configuration.rules.prefix(ImportLog.mostRules) {
          do throws(RuleFault) {
            let conditions = try Self.conditions(rule.events, below: ladder, currency, &log)
            rules.append(CoarseRule(value: rule.value, conditions: conditions))
          } catch {
            log.drop(Sentence("\(code: rule.value.rawValue) of window \(configuration.window)"), error)
          }
        }
        if !rules.isEmpty { windows[window] = CoarseRules(rules: rules) }
        if configuration.rules.count > ImportLog.mostRules {
          throw RuleFault(Sentence("it has more than \(ImportLog.mostRules) rules; the rest"))
        }
      } catch { log.drop(Sentence("window \(configuration.window)"), error) }
    }
    return windows
  }

  private func measurementHours(_ log: inout ImportLog) -> Int? {
    let hours = cutoffDays.map { Int(clamping: ImportLog.hours(days: $0)) }
    if let hours, (1...ConversionWindow.first.endHour).contains(hours) { return hours }
    log.add(
      .cutoffDropped,
      (cutoffDays ?? 0) > 0
        ? Sentence("a cutoff of \(cutoffDays ?? 0) days lies outside the first window and is dropped")
        : Sentence("there is no cutoff, for which Meta's SDK sets no fine value at all; here it does"))
    return nil
  }

  private static func conditions(
    _ events: [MetaEvent], below ladder: [[MetaEvent]], _ currency: CurrencyCode, _ log: inout ImportLog
  ) throws(RuleFault) -> Conditions {
    var conditions: [EventCondition] = []
    for event in events {
      guard let amounts = event.amounts else {
        conditions.append(EventCondition(name: event.name))
        continue
      }
      let codes = amounts.keys.sorted()
      guard let code = codes.first(where: { $0 == currency.text }) ?? codes.first, let amount = amounts[code]
      else { throw RuleFault(Sentence("an empty list of amounts never holds")) }
      for other in codes where other != code {
        log.add(
          .alternativeCurrency,
          Sentence("\(name: event.name) may also come with an amount in \(name: other), which is dropped"))
      }
      let steps = ladder.compactMap { rung in
        rung.map(\.name) == events.map(\.name)
          ? rung.first { $0.name == event.name }?.amounts?[code] : nil
      }
      let next = steps.filter { $0 > amount }.min()
      guard let own = CurrencyCode(code) else {
        throw RuleFault(Sentence("\(name: quoted(code)) is not a currency"))
      }
      let range = try log.range(lower: .open(amount), upper: next.map { .closed($0) })
      if let next {
        log.add(
          .upperEndImplied, Sentence("\(name: event.name) above \(amount) ends at \(next), the next rule"))
      } else {
        log.add(.noWorth, Sentence("no amount is given for \(name: event.name) above \(amount)"))
      }
      conditions.append(EventCondition(name: event.name, revenue: RevenueCondition(range, own)))
    }
    return try log.conditions(conditions, isAndStated: true)
  }
}

extension ImportLog {
  /// Remarks on everything in a file that Meta's SDK rejects or that nothing is made of.
  fileprivate mutating func remarkUnread(inMetaFile node: JSONNode) {
    guard let root = node.value.object, let data = root["data"]?.value.array,
      let object = data.first?.value.object
    else { return }
    ignoreUnknown(in: root, of: Sentence("the file"), known: ["data"])
    if data.count > 1 {
      add(
        .memberIgnored, Sentence("of \(data.count) configurations only the first counts"),
        at: Sentence(name: "$.data"))
    }
    let lists = ["conversion_value_rules", "coarse_cv_configs", "lock_window_rules"]
    ignoreUnknown(
      in: object, of: Sentence("the configuration"), known: ["default_currency", "cutoff_time"] + lists)
    for name in lists {
      guard let value = object[name]?.value, value != .null else { continue }
      guard let elements = value.array else {
        add(
          .memberIgnored, Sentence("\(name: quoted(name)) is not an array and is not imported"),
          at: Sentence(name: name))
        continue
      }
      for (index, element) in elements.enumerated() {
        let place = Sentence(name: "\(name)[\(index)]")
        switch name {
        case "conversion_value_rules":
          if MetaRule<Int>(element) == nil { drop(place, RuleFault(Sentence("Meta's SDK rejects it"))) }
          ignoreUnknown(inMetaRule: element, value: "conversion_value")
        case "coarse_cv_configs":
          if MetaCoarseConfiguration(element) == nil {
            drop(place, RuleFault(Sentence("Meta's SDK rejects it")))
          }
          guard let configuration = element.value.object else { continue }
          ignoreUnknown(
            in: configuration, of: Sentence("a window"),
            known: ["postback_sequence_index", "coarse_cv_rules"])
          for rule in configuration["coarse_cv_rules"]?.value.array ?? [] {
            ignoreUnknown(inMetaRule: rule, value: "coarse_cv_value")
          }
        default:
          if let rule = element.value.object {
            ignoreUnknown(
              in: rule, of: Sentence("a lock rule"),
              known: ["lock_window_type", "postback_sequence_index", "time", "events"])
          }
          if MetaLockRule(element) == nil {
            add(.lockIgnored, Sentence("a lock rule is rejected by Meta's SDK"), at: place)
          }
        }
      }
    }
  }

  /// Remarks on members of a rule, its events and their amounts that nothing is made of.
  mutating func ignoreUnknown(inMetaRule node: JSONNode, value names: String...) {
    guard let rule = node.value.object else { return }
    ignoreUnknown(in: rule, of: Sentence("a rule"), known: names + ["events"])
    for event in (rule["events"]?.value.array ?? []).compactMap(\.value.object) {
      ignoreUnknown(in: event, of: Sentence("an event"), known: ["event_name", "values"])
      let amounts = (event["values"]?.value.array ?? []).compactMap(\.value.object)
      for amount in amounts {
        ignoreUnknown(in: amount, of: Sentence("an amount"), known: ["currency", "amount"])
      }
      let currencies = amounts.compactMap { $0["currency"]?.value.string?.uppercased() }
      if Set(currencies).count < currencies.count {
        add(.alternativeCurrency, Sentence("of several amounts in one currency the last counts"))
      }
    }
  }
}
