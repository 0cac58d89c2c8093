import Values

extension RunSummary {
  /// The summary in few words, for a file: zeros of histograms take no room.
  var words: [UInt64] {
    var stream = WordStream()
    var summary = self
    summary.pass(&stream)
    return stream.written
  }

  /// Reads what ``words`` gave; `nil` for anything else.
  init?(words: ArraySlice<UInt64>) {
    self.init(sum: CampaignOutcome(), visible: [], revenue: .zero, firstWindow: Information())
    var stream = WordStream(reading: words)
    pass(&stream)
    guard stream.isWhole else { return nil }
  }

  private mutating func pass(_ stream: inout WordStream) {
    stream.list(&visible, empty: .zero) { $0.money(&$1) }
    stream.money(&revenue)
    stream.fraction(&firstWindow.trueValuesUsed)
    stream.fraction(&firstWindow.valuesUsed)
    stream.fraction(&firstWindow.trueEntropy)
    stream.fraction(&firstWindow.entropy)
    sum.pass(&stream)
  }
}

extension CampaignOutcome {
  fileprivate mutating func pass(_ stream: inout WordStream) {
    stream.number(&installs)
    stream.number(&reported)
    stream.number(&laterConversions)
    stream.number(&chainsBroken)
    stream.money(&lostByChain)
    stream.money(&revenueEver)
    stream.money(&revenue)
    for index in windows.indices { windows[index].pass(&stream) }
    for index in addsUp.indices { stream.flag(&addsUp[index]) }
    stream.days(&installDays, empty: InstallDay()) { stream, day in
      stream.number(&day.installs)
      stream.money(&day.revenue)
    }
  }
}

extension WindowOutcome {
  fileprivate mutating func pass(_ stream: inout WordStream) {
    stream.number(&postbacks)
    stream.number(&withheld)
    stream.number(&nulls)
    stream.number(&zeroes)
    stream.number(&nonWinners)
    stream.number(&withoutLimit)
    stream.counts(&trueFine)
    stream.counts(&visibleFine)
    stream.counts(&trueCoarse)
    stream.counts(&visibleCoarse)
    var hours = delays.counts
    stream.counts(&hours)
    delays = DelayHistogram(counts: hours)
    stream.sums(&revenueByFine)
    stream.sums(&revenueByCoarse)
    stream.money(&revenue)
    stream.money(&revenueAtUpdate)
    stream.money(&captured)
    stream.money(&visible)
    stream.money(&visibleLow)
    stream.money(&visibleHigh)
    stream.days(&arrivals, empty: ArrivalDay()) { stream, day in
      stream.number(&day.postbacks)
      stream.number(&day.nulls)
      stream.number(&day.zeroes)
      stream.number(&day.nonWinners)
      stream.money(&day.visible)
    }
  }
}

/// Numbers in as many bytes as they need, written or read by the same calls: a reading stream replaces what it is given.
///
/// Behind the end it reads zeros. Source: the variable-length integers of Protocol Buffers, with zigzag signs.
private struct WordStream {
  private var bytes: [UInt8] = []
  private let words: ArraySlice<UInt64>?
  private var next = 0
  private(set) var isWhole = true

  init(reading words: ArraySlice<UInt64>? = nil) { self.words = words }

  var written: [UInt64] {
    var words = [UInt64](repeating: 0, count: (bytes.count + 7) / 8)
    for (place, byte) in bytes.enumerated() { words[place / 8] |= UInt64(byte) << UInt64(8 * (place % 8)) }
    return words
  }

  private mutating func byte(of words: ArraySlice<UInt64>) -> UInt8 {
    let word = words.startIndex + (next >> 3)
    guard word < words.endIndex else {
      isWhole = false
      return 0
    }
    defer { next += 1 }
    return UInt8(truncatingIfNeeded: words[word] >> UInt64(8 * (next & 7)))
  }

  private mutating func bits(_ bits: inout UInt64) {
    guard let words else {
      var rest = bits
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      return bytes.append(UInt8(rest))
    }
    bits = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      let byte = byte(of: words)
      bits |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { break }
    }
  }

  mutating func number(_ number: inout Int) {
    var zigzag = UInt64(bitPattern: Int64((number << 1) ^ (number >> 63)))
    bits(&zigzag)
    number = Int(Int64(bitPattern: (zigzag >> 1) ^ (0 &- (zigzag & 1))))
  }

  mutating func flag(_ flag: inout Bool) {
    var number = flag ? 1 : 0
    self.number(&number)
    flag = number == 1
  }

  mutating func money(_ sum: inout MoneySum) {
    // Nearly every sum fits into 64 bits; the flag shows which do not.
    let short = Int(exactly: sum.micros).flatMap { $0.magnitude < 1 << 61 ? $0 << 1 : nil }
    var number = short ?? 1
    self.number(&number)
    guard number & 1 == 1 else { return sum = MoneySum(Int128(number >> 1)) }
    var low = UInt64(truncatingIfNeeded: sum.micros)
    var high = UInt64(truncatingIfNeeded: sum.micros >> 64)
    bits(&low)
    bits(&high)
    sum = MoneySum((Int128(Int64(bitPattern: high)) << 64) | Int128(low))
  }

  mutating func fraction(_ number: inout Double) {
    var pattern = number.bitPattern.byteSwapped
    bits(&pattern)
    number = Double(bitPattern: pattern.byteSwapped)
  }

  /// Makes room for the entries that follow; more than there can be are none.
  private mutating func count<Entry>(_ list: inout [Entry], empty: Entry) {
    var count = list.count
    number(&count)
    if count < 0 || count > 1 << 24 { (isWhole, count) = (false, 0) }
    if words != nil { list = Array(repeating: empty, count: count) }
  }

  mutating func list<Entry>(
    _ list: inout [Entry], empty: Entry, _ entry: (inout WordStream, inout Entry) -> Void
  ) {
    count(&list, empty: empty)
    for index in list.indices where isWhole { entry(&self, &list[index]) }
  }

  mutating func days<Figures>(
    _ days: inout [Day: Figures], empty: Figures, _ figures: (inout WordStream, inout Figures) -> Void
  ) {
    var list = days.map { (day: Int($0.key.number), figures: $0.value) }
    self.list(&list, empty: (0, empty)) { stream, entry in
      stream.number(&entry.day)
      figures(&stream, &entry.figures)
    }
    guard words != nil else { return }
    days = Dictionary(list.map { (Day(number: Int32(truncatingIfNeeded: $0.day)), $0.figures) }) { $1 }
  }

  mutating func counts(_ counts: inout [Int]) { sparse(&counts, zero: 0) { $0.number(&$1) } }

  mutating func sums(_ sums: inout [MoneySum]) { sparse(&sums, zero: .zero) { $0.money(&$1) } }

  /// Entries other than zero, each behind the number of zeros before it; -1 ends them.
  private mutating func sparse<Entry: Equatable>(
    _ list: inout [Entry], zero: Entry, _ entry: (inout WordStream, inout Entry) -> Void
  ) {
    count(&list, empty: zero)
    var place = 0
    while isWhole {
      let rest = list[place...].firstIndex { $0 != zero }
      var gap = rest.map { $0 - place } ?? -1
      number(&gap)
      if gap < 0 { return }
      place += gap
      guard place < list.count else { return isWhole = false }
      entry(&self, &list[place])
      place += 1
    }
  }
}
