import Values

extension RunSummary {
  /// The summary in few words, for a file: zeros of histograms take no room.
  var words: [UInt64] {
    var packing = Packing()
    packing.add(visible.count)
    for amount in visible { packing.add(amount) }
    packing.add(revenue)
    for figure in [
      firstWindow.trueValuesUsed, firstWindow.valuesUsed, firstWindow.trueEntropy, firstWindow.entropy,
    ] { packing.add(figure) }
    packing.add(sum)
    return packing.words
  }

  /// Reads what ``words`` gave; `nil` for anything else.
  init?(words: ArraySlice<UInt64>) {
    var unpacking = Unpacking(words)
    visible = unpacking.list { $0.money() }
    revenue = unpacking.money()
    var information = Information()
    information.trueValuesUsed = unpacking.fraction()
    information.valuesUsed = unpacking.fraction()
    information.trueEntropy = unpacking.fraction()
    information.entropy = unpacking.fraction()
    firstWindow = information
    sum = unpacking.campaign()
    guard unpacking.isWhole else { return nil }
  }
}

/// Numbers in as many bytes as they need.
///
/// Source: the variable-length integers of Protocol Buffers, with zigzag signs.
private struct Packing {
  private var bytes: [UInt8] = []

  var words: [UInt64] {
    var words = [UInt64](repeating: 0, count: (bytes.count + 7) / 8)
    for (place, byte) in bytes.enumerated() { words[place / 8] |= UInt64(byte) << UInt64(8 * (place % 8)) }
    return words
  }

  mutating func add(_ number: Int) {
    let signs = number >> 63
    addBits(UInt64(bitPattern: Int64((number << 1) ^ signs)))
  }

  private mutating func addBits(_ bits: UInt64) {
    var rest = bits
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func add(_ sum: MoneySum) {
    // Nearly every sum fits into 64 bits; the flag shows which do not.
    if let number = Int(exactly: sum.micros), number.magnitude < 1 << 61 {
      add(number << 1)
    } else {
      add(1)
      addBits(UInt64(truncatingIfNeeded: sum.micros))
      addBits(UInt64(truncatingIfNeeded: sum.micros >> 64))
    }
  }

  mutating func add(_ number: Double) { addBits(number.bitPattern.byteSwapped) }

  mutating func add(_ counts: [Int]) {
    add(sparse: counts, isZero: { $0 == 0 }) { $0.add($1) }
  }

  mutating func add(_ sums: [MoneySum]) {
    add(sparse: sums, isZero: { $0 == .zero }) { $0.add($1) }
  }

  private mutating func add<Entry>(
    sparse list: [Entry], isZero: (Entry) -> Bool, _ add: (inout Packing, Entry) -> Void
  ) {
    self.add(list.count)
    var gap = 0
    for entry in list {
      if isZero(entry) {
        gap += 1
        continue
      }
      self.add(gap)
      add(&self, entry)
      gap = 0
    }
    self.add(-1)
  }

  mutating func add(_ outcome: CampaignOutcome) {
    for count in [outcome.installs, outcome.reported, outcome.laterConversions, outcome.chainsBroken] {
      add(count)
    }
    for sum in [outcome.lostByChain, outcome.revenueEver, outcome.revenue] { add(sum) }
    for window in outcome.windows { add(window) }
    for addsUp in outcome.addsUp { add(addsUp ? 1 : 0) }
    add(outcome.installDays.count)
    for (day, truth) in outcome.installDays {
      add(Int(day.number))
      add(truth.installs)
      add(truth.revenue)
    }
  }

  private mutating func add(_ window: WindowOutcome) {
    for count in [
      window.postbacks, window.withheld, window.nulls, window.zeroes, window.nonWinners, window.withoutLimit,
    ] { add(count) }
    for list in [
      window.trueFine, window.visibleFine, window.trueCoarse, window.visibleCoarse, window.delays.counts,
    ] { add(list) }
    add(window.revenueByFine)
    add(window.revenueByCoarse)
    for sum in [
      window.revenue, window.revenueAtUpdate, window.captured, window.visible, window.visibleLow,
      window.visibleHigh,
    ] { add(sum) }
    add(window.arrivals.count)
    for (day, arrived) in window.arrivals {
      add(Int(day.number))
      for count in [arrived.postbacks, arrived.nulls, arrived.zeroes, arrived.nonWinners] { add(count) }
      add(arrived.visible)
    }
  }
}

/// Reads what ``Packing`` wrote; behind the end it reads zeros.
private struct Unpacking {
  private let words: ArraySlice<UInt64>
  private var next = 0
  private(set) var isWhole = true

  init(_ words: ArraySlice<UInt64>) { self.words = words }

  private mutating func byte() -> UInt8 {
    let word = words.startIndex + (next >> 3)
    guard word < words.endIndex else {
      isWhole = false
      return 0
    }
    defer { next += 1 }
    return UInt8(truncatingIfNeeded: words[word] >> UInt64(8 * (next & 7)))
  }

  private mutating func bits() -> UInt64 {
    var bits: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 70 {
      let byte = byte()
      bits |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { break }
      shift += 7
    }
    return bits
  }

  mutating func number() -> Int {
    let bits = bits()
    return Int(Int64(bitPattern: (bits >> 1) ^ (0 &- (bits & 1))))
  }

  /// How many entries follow; more than there are bytes left are none.
  private mutating func count() -> Int {
    let count = number()
    guard count >= 0, count <= 1 << 24 else {
      isWhole = false
      return 0
    }
    return count
  }

  mutating func money() -> MoneySum {
    let number = number()
    guard number & 1 == 1 else { return MoneySum(Int128(number >> 1)) }
    let low = bits()
    let high = Int64(bitPattern: bits())
    return MoneySum((Int128(high) << 64) | Int128(low))
  }

  mutating func fraction() -> Double { Double(bitPattern: bits().byteSwapped) }

  mutating func list<Entry>(_ entry: (inout Unpacking) -> Entry) -> [Entry] {
    let count = count()
    var list: [Entry] = []
    list.reserveCapacity(count)
    while list.count < count, isWhole { list.append(entry(&self)) }
    return list
  }

  private mutating func sparse<Entry>(_ zero: Entry, _ entry: (inout Unpacking) -> Entry) -> [Entry] {
    var list = Array(repeating: zero, count: count())
    var place = -1
    while isWhole {
      let gap = number()
      if gap < 0 { break }
      place += gap + 1
      guard place < list.count else {
        isWhole = false
        break
      }
      list[place] = entry(&self)
    }
    return list
  }

  private mutating func counts() -> [Int] { sparse(0) { $0.number() } }
  private mutating func sums() -> [MoneySum] { sparse(.zero) { $0.money() } }

  mutating func campaign() -> CampaignOutcome {
    var outcome = CampaignOutcome()
    outcome.installs = number()
    outcome.reported = number()
    outcome.laterConversions = number()
    outcome.chainsBroken = number()
    outcome.lostByChain = money()
    outcome.revenueEver = money()
    outcome.revenue = money()
    for index in outcome.windows.indices { outcome.windows[index] = window() }
    for index in outcome.addsUp.indices { outcome.addsUp[index] = number() == 1 }
    for (day, truth) in list({ packed -> (Day, InstallDay) in
      let day = packed.day()
      var truth = InstallDay()
      truth.installs = packed.number()
      truth.revenue = packed.money()
      return (day, truth)
    }) { outcome.installDays[day] = truth }
    return outcome
  }

  private mutating func window() -> WindowOutcome {
    var window = WindowOutcome()
    window.postbacks = number()
    window.withheld = number()
    window.nulls = number()
    window.zeroes = number()
    window.nonWinners = number()
    window.withoutLimit = number()
    window.trueFine = counts()
    window.visibleFine = counts()
    window.trueCoarse = counts()
    window.visibleCoarse = counts()
    window.delays = DelayHistogram(counts: counts())
    window.revenueByFine = sums()
    window.revenueByCoarse = sums()
    window.revenue = money()
    window.revenueAtUpdate = money()
    window.captured = money()
    window.visible = money()
    window.visibleLow = money()
    window.visibleHigh = money()
    for (day, arrived) in list({ packed -> (Day, ArrivalDay) in
      let day = packed.day()
      var arrived = ArrivalDay()
      arrived.postbacks = packed.number()
      arrived.nulls = packed.number()
      arrived.zeroes = packed.number()
      arrived.nonWinners = packed.number()
      arrived.visible = packed.money()
      return (day, arrived)
    }) { window.arrivals[day] = arrived }
    return window
  }

  private mutating func day() -> Day { Day(number: Int32(truncatingIfNeeded: number())) }
}
