import Mappings
import Postbacks
import Values

/// A mapping laid out for speed: numbers instead of texts, and one look-up instead of a walk over the rules.
///
/// The result is the same as under ``Mappings/UserState``.
final class CompiledMapping: Sendable {
  /// What a rule sets.
  struct Setting: Sendable {
    /// The fine value, or the step of the coarse one.
    let value: Int8
    /// The step of the coarse value that a fine rule sets too; -1 for none.
    let coarse: Int8
    let lock: Bool
  }

  /// A dimension of one of the tables, with its breaks in one array for all.
  struct Dimension: Sendable {
    let table: Int
    let counter: Int
    let breaks: Range<Int>
    let stride: Int
    /// The interval of 0.
    let start: Int
  }

  /// The same mapping laid out for re-engagements; `nil` where every rule is for them as for installs.
  let forReengagements: CompiledMapping?
  let device: Mapping.Device
  let isRaiseOnly: Bool
  /// The seconds since install at which fine values end.
  let fineEnd: Int64
  let fine: [Setting]
  /// The settings of the coarse rules of each window; empty for a window without.
  let coarse: [[Setting]]
  /// The table of each window's coarse rules; -1 for a window without.
  let coarseTables: [Int]
  /// Table 0 is the fine rules'.
  let tables: [RuleTable]
  let dimensions: [Dimension]
  let breaks: [Int64]
  /// The dimensions that each counter moves, counter after counter.
  let uses: [Int]
  /// Where each counter's part of ``uses`` begins; one more than there are counters.
  let useStarts: [Int]
  let firstDimension: [Int]

  /// The events that rules ask for.
  let events: [String]
  /// The currencies that rules ask for.
  let currencies: [CurrencyCode]
  /// How many counters there are since install; as many follow for the window.
  let counterCount: Int
  /// The counter of each currency's total; -1 where no rule asks.
  let totalCounters: [Int]
  /// The counter of each event's count.
  let countCounters: [Int]
  /// The counter of each event's revenue in each currency, event by event.
  let revenueCounters: [Int]
  /// Whether a rule looks at the totals of a window.
  let usesWindowTotals: Bool

  /// The counter of the seconds since install.
  static let timeCounter = 0

  /// Lays out a mapping for every type of conversion.
  convenience init(_ mapping: Mapping) { self.init(mapping, .install) }

  /// Lays out a mapping for conversions of one type.
  ///
  /// The numbers of rules are the same for every type.
  private init(_ mapping: Mapping, _ type: ConversionType) {
    forReengagements =
      type == .install && mapping.device == .aak && mapping.isByConversionType
      ? CompiledMapping(mapping, .reengagement) : nil
    device = mapping.device
    isRaiseOnly = mapping.isRaiseOnly
    let stated = mapping.measurementWindowHours.map { Int64($0) * Hour.seconds } ?? .max
    fineEnd = device.hasWindows ? min(stated, ConversionWindow.first.seconds.upperBound) : stated
    fine = mapping.fine.map {
      Setting(value: Int8($0.value.number), coarse: $0.coarse.map(\.step) ?? -1, lock: $0.lock)
    }
    var tables = [RuleTable(mapping.fine.map(\.conditions), order: mapping.fineOrder(of: type))]
    var isOfWindow = [false]
    var coarse: [[Setting]] = []
    var coarseTables: [Int] = []
    for window in ConversionWindow.allCases {
      guard mapping.device.hasWindows, let rules = mapping.coarse[window] else {
        coarse.append([])
        coarseTables.append(-1)
        continue
      }
      coarse.append(rules.rules.map { Setting(value: $0.value.step, coarse: -1, lock: $0.lock) })
      coarseTables.append(tables.count)
      let order = rules.rules.indices.filter { rules.rules[$0].conditions.conversionTypes.contains(type) }
        .sorted { a, b in
          (-rules.rules[a].value.step, a) < (-rules.rules[b].value.step, b)
        }
      tables.append(RuleTable(rules.rules.map(\.conditions), order: order))
      isOfWindow.append(rules.totals == .window)
    }
    self.coarse = coarse
    self.coarseTables = coarseTables
    self.tables = tables
    usesWindowTotals = isOfWindow.contains(true)

    var numbers: [Counter: Int] = [.time: Self.timeCounter]
    for counter in tables.flatMap({ $0.dimensions.map(\.counter) }) where numbers[counter] == nil {
      numbers[counter] = numbers.count
    }
    counterCount = numbers.count
    var dimensions: [Dimension] = []
    var breaks: [Int64] = []
    var uses = [[Int]](repeating: [], count: 2 * numbers.count)
    var firstDimension: [Int] = []
    for (index, table) in tables.enumerated() {
      firstDimension.append(dimensions.count)
      for dimension in table.dimensions {
        var counter = numbers[dimension.counter] ?? Self.timeCounter
        if isOfWindow[index], counter != Self.timeCounter { counter += numbers.count }
        uses[counter].append(dimensions.count)
        dimensions.append(
          Dimension(
            table: index, counter: counter, breaks: breaks.count..<breaks.count + dimension.breaks.count,
            stride: dimension.stride, start: dimension.interval(of: 0)))
        breaks += dimension.breaks
      }
    }
    self.dimensions = dimensions
    self.breaks = breaks
    self.uses = Array(uses.joined())
    useStarts = uses.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
    self.firstDimension = firstDimension

    var events: Set<String> = []
    var currencies: Set<CurrencyCode> = []
    for counter in numbers.keys {
      switch counter {
      case .time: break
      case .total(let currency): currencies.insert(currency)
      case .count(let name): events.insert(name)
      case .revenue(let name, let currency):
        events.insert(name)
        currencies.insert(currency)
      }
    }
    let eventList = events.sorted()
    let currencyList = currencies.sorted()
    self.events = eventList
    self.currencies = currencyList
    totalCounters = currencyList.map { numbers[.total($0)] ?? -1 }
    countCounters = eventList.map { numbers[.count($0)] ?? -1 }
    revenueCounters = eventList.flatMap { event in
      currencyList.map { numbers[.revenue(event, $0)] ?? -1 }
    }
  }
}

extension Mapping {
  /// The fine rules for a type of conversion, the one that applies before all others first.
  fileprivate func fineOrder(of type: ConversionType) -> [Int] {
    let rules = fine.indices.filter { fine[$0].conditions.conversionTypes.contains(type) }
    return switch precedence {
    case .listOrder: rules
    case .highestValue:
      rules.sorted { (-Int(fine[$0].value.number), $0) < (-Int(fine[$1].value.number), $1) }
    case .priority:
      rules.sorted { a, b in
        if fine[a].priority != fine[b].priority { return fine[a].priority > fine[b].priority }
        return (-Int(fine[a].value.number), a) < (-Int(fine[b].value.number), b)
      }
    }
  }

  /// The mapping on another device.
  ///
  /// Its rules stay; on a device with windows only those of its own that asked for it stay raise-only: that a
  /// value never falls under SKAdNetwork 3 is the device's doing, not the app's.
  func moved(to other: Device) -> Mapping {
    guard other != device else { return self }
    return Mapping(
      name: name, app: app, currency: currency, effectiveFrom: effectiveFrom, device: other,
      isRaiseOnly: device.hasWindows && isRaiseOnly, measurementWindowHours: measurementWindowHours,
      precedence: precedence, partners: partners, declaredEvents: declaredEvents, fine: fine, coarse: coarse)
  }
}

extension CoarseValue {
  /// The step, from 0 for low.
  var step: Int8 {
    switch self {
    case .low: 0
    case .medium: 1
    case .high: 2
    }
  }

  /// The value of a step; `nil` unless there is one.
  init?(step: Int8) {
    switch step {
    case 0: self = .low
    case 1: self = .medium
    case 2: self = .high
    default: return nil
    }
  }
}
