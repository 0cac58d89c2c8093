import Mappings
import Postbacks
import Values

/// One user's counters under a compiled mapping; used for one user after the other.
struct MappingCounters {
  /// What a cohort's indices mean to the mapping.
  struct Binding {
    /// The mapping's number of each event name; -1 where no rule asks.
    let events: [Int]
    /// The mapping's number of each currency; -1 where no rule asks.
    let currencies: [Int]

    init(_ mapping: CompiledMapping, _ names: CohortNames) {
      events = names.events.map { mapping.events.firstIndex(of: $0) ?? -1 }
      currencies = names.currencies.map { mapping.currencies.firstIndex(of: $0) ?? -1 }
    }
  }

  let mapping: CompiledMapping
  private let binding: Binding
  /// Seconds since install.
  private(set) var now: Int64 = 0
  /// The window of ``now``, from 0; 3 behind the last.
  private(set) var window = 0
  private var windowEnd = ConversionWindow.first.seconds.upperBound
  private var values: [Int64]
  private var places: [Int]
  private var cells: [Int]
  private let emptyValues: [Int64]
  private let emptyPlaces: [Int]
  private let emptyCells: [Int]

  init(_ mapping: CompiledMapping, names: CohortNames) {
    self.mapping = mapping
    binding = Binding(mapping, names)
    emptyValues = Array(repeating: 0, count: 2 * mapping.counterCount)
    emptyPlaces = mapping.dimensions.map(\.start)
    var cells = Array(repeating: 0, count: mapping.tables.count)
    for dimension in mapping.dimensions { cells[dimension.table] += dimension.start * dimension.stride }
    emptyCells = cells
    values = emptyValues
    places = emptyPlaces
    self.cells = cells
  }

  /// Starts with a new user, at the first launch.
  mutating func reset() {
    now = 0
    window = 0
    windowEnd = ConversionWindow.first.seconds.upperBound
    for index in values.indices { values[index] = 0 }
    for index in places.indices { places[index] = emptyPlaces[index] }
    for index in cells.indices { cells[index] = emptyCells[index] }
  }

  /// Lets an event happen that many seconds after install, or now where time has gone on already.
  @inline(__always)
  mutating func feed(_ event: CohortEvent, at seconds: Int64) {
    if seconds > now {
      now = seconds
      if now >= windowEnd { enterWindow() }
      set(CompiledMapping.timeCounter, to: now)
    }
    let currency = event.currency < 0 ? -1 : binding.currencies[Int(event.currency)]
    let name = binding.events[Int(event.name)]
    guard name >= 0 || currency >= 0 else { return }
    count(name, currency, event.micros, offset: 0)
    if mapping.usesWindowTotals { count(name, currency, event.micros, offset: mapping.counterCount) }
  }

  @inline(__always)
  private mutating func count(_ name: Int, _ currency: Int, _ micros: Int64, offset: Int) {
    if currency >= 0 { add(micros, to: mapping.totalCounters[currency], offset) }
    guard name >= 0 else { return }
    add(1, to: mapping.countCounters[name], offset)
    if currency >= 0 {
      add(micros, to: mapping.revenueCounters[name * mapping.currencies.count + currency], offset)
    }
  }

  /// The fine rule that applies; -1 for none.
  func fineRule() -> Int { rule(inTable: 0) }

  /// The coarse rule of the current window that applies; -1 for none.
  func coarseRule() -> Int {
    let table = mapping.coarseTables[window]
    return table < 0 ? -1 : rule(inTable: table)
  }

  @inline(__always)
  private func rule(inTable index: Int) -> Int {
    guard mapping.tables[index].cells.isEmpty else { return Int(mapping.tables[index].cells[cells[index]]) }
    return scan(index)
  }

  private func scan(_ index: Int) -> Int {
    let first = mapping.firstDimension[index]
    for (rule, box) in mapping.tables[index].ranked
    where box.allSatisfy({
      let place = places[first + $0.dimension]
      return $0.first <= place && place <= $0.last
    }) {
      return Int(rule)
    }
    return -1
  }

  private mutating func enterWindow() {
    let windows = ConversionWindow.allCases
    while window < windows.count, now >= windows[window].seconds.upperBound { window += 1 }
    windowEnd = window < windows.count ? windows[window].seconds.upperBound : .max
    guard mapping.usesWindowTotals else { return }
    for counter in mapping.counterCount..<values.count { set(counter, to: 0) }
  }

  @inline(__always)
  private mutating func add(_ amount: Int64, to counter: Int, _ offset: Int) {
    guard counter >= 0 else { return }
    set(counter + offset, to: values[counter + offset].addingHeld(amount))
  }

  @inline(__always)
  private mutating func set(_ counter: Int, to value: Int64) {
    values[counter] = value
    for use in mapping.useStarts[counter]..<mapping.useStarts[counter + 1] {
      let index = mapping.uses[use]
      let dimension = mapping.dimensions[index]
      let start = dimension.breaks.lowerBound
      let old = places[index]
      var place = old
      while start + place < dimension.breaks.upperBound, mapping.breaks[start + place] <= value { place += 1 }
      while place > 0, mapping.breaks[start + place - 1] > value { place -= 1 }
      guard place != old else { continue }
      places[index] = place
      cells[dimension.table] += (place - old) * dimension.stride
    }
  }
}
