import Postbacks

/// Adds up the postbacks of one row of a campaign report at a time.
struct CampaignCounter {
  /// What postbacks of a kind count in.
  private struct Kind {
    /// The fine value; -1 for any other, and for what did not win.
    let fine: Int
    /// The place among ``values``; -1 where there is nothing to decode.
    let value: Int
  }

  private var kinds: [Kind] = []
  /// What a postback of each kind adds to the counts: sixteen sums at once take less time than to ask for each of them.
  private var parts: [SIMD16<Int64>] = []
  private var sums = SIMD16<Int64>()
  /// What values can be decoded by, each without a count.
  private var values: [ValueCount] = []
  private var fine = [Int64](repeating: 0, count: 64)
  /// The fine values of the row, a bit for each.
  private var fineValues: UInt64 = 0
  private var valueCounts: [Int64] = []
  /// The values of the row, in the order in which they came.
  private var found: [Int] = []

  init(_ kinds: FactKinds) {
    var numbers: [ValueCount: Int] = [:]
    for number in 0..<kinds.count {
      let fact = kinds[number]
      var fine = -1
      if fact.outcome != .assist, case .fine(let value) = fact.value { fine = Int(value.number) }
      let value = ValueCount(fact).map { value in
        if let known = numbers[value] { return known }
        let number = values.count
        numbers[value] = number
        values.append(value.numbered(number))
        return number
      }
      self.kinds.append(Kind(fine: fine, value: value ?? -1))
      parts.append(CampaignCounts.part(of: fact))
    }
    valueCounts = [Int64](repeating: 0, count: values.count)
  }

  mutating func add(_ kind: UInt32, _ count: Int64) {
    sums &+= count == 1 ? parts[Int(kind)] : parts[Int(kind)] &* count
    let kind = kinds[Int(kind)]
    if kind.fine >= 0 {
      fine[kind.fine] += count
      fineValues |= 1 << UInt64(kind.fine)
    }
    guard kind.value >= 0 else { return }
    if valueCounts[kind.value] == 0 { found.append(kind.value) }
    valueCounts[kind.value] += count
  }

  /// The counts of the row, with nothing left for the next one.
  ///
  /// - Parameter copies: Copies that agree with the first and those that do not; `nil` where they are not counted.
  mutating func takeCounts(copies: (repeats: Int64, conflicts: Int64)?) -> CampaignCounts {
    var counts = CampaignCounts.zero
    counts.add(sums)
    counts.repeats = copies?.repeats
    counts.conflicts = copies?.conflicts
    counts.fine = FineCounts(fineValues, of: fine)
    sums = SIMD16()
    while fineValues != 0 {
      fine[fineValues.trailingZeroBitCount] = 0
      fineValues &= fineValues - 1
    }
    return counts
  }

  /// Visits the values of the row, with nothing left for the next one.
  mutating func takeValues(_ visit: (ValueCount) -> Void) {
    for value in found {
      visit(values[value].counting(valueCounts[value]))
      valueCounts[value] = 0
    }
    found.removeAll(keepingCapacity: true)
  }
}

extension ValueCount {
  /// The values of a kind, without a count or a number; `nil` for those without a meaning.
  fileprivate init?(_ fact: FactKind) {
    guard let arrival = fact.arrival, fact.outcome != .assist else { return nil }
    switch fact.value {
    case .absent, .rejected: return nil
    case .fine, .coarse: break
    }
    self.init(
      app: fact.app, version: fact.version, window: fact.window, outcome: fact.outcome, arrival: arrival,
      value: fact.value, postbacks: 0, kind: 0)
  }

  fileprivate func numbered(_ number: Int) -> Self {
    Self(
      app: app, version: version, window: window, outcome: outcome, arrival: arrival, value: value,
      postbacks: postbacks, kind: number)
  }

  fileprivate func counting(_ postbacks: Int64) -> Self {
    Self(
      app: app, version: version, window: window, outcome: outcome, arrival: arrival, value: value,
      postbacks: postbacks, kind: kind)
  }
}
