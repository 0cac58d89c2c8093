import Postbacks

/// Adds up the postbacks of one row of a campaign report at a time.
struct CampaignCounter {
  /// What postbacks of a kind count in.
  private struct Kind {
    let fact: FactKind
    /// The fine value; `nil` for any other, and for what did not win.
    let fine: Int?
    /// The place among ``values``; `nil` where there is nothing to decode.
    let value: Int?
  }

  private var kinds: [Kind] = []
  /// What values can be decoded by, each without a count.
  private var values: [ValueCount] = []
  private var counts = CampaignCounts.zero
  private var fine = [Int64](repeating: 0, count: 64)
  private var valueCounts: [Int64] = []
  /// The values of the row, in the order in which they came.
  private var found: [Int] = []

  init(_ kinds: FactKinds) {
    var numbers: [ValueCount: Int] = [:]
    for number in 0..<kinds.count {
      let fact = kinds[number]
      var fine: Int?
      if fact.outcome != .assist, case .fine(let value) = fact.value { fine = Int(value.number) }
      let value = ValueCount(fact).map { value in
        if let known = numbers[value] { return known }
        let number = values.count
        numbers[value] = number
        values.append(value.numbered(number))
        return number
      }
      self.kinds.append(Kind(fact: fact, fine: fine, value: value))
    }
    valueCounts = [Int64](repeating: 0, count: values.count)
  }

  mutating func add(_ kind: UInt32, _ count: Int64) {
    let kind = kinds[Int(kind)]
    counts.add(count, of: kind.fact)
    if let value = kind.fine { fine[value] += count }
    guard let value = kind.value else { return }
    if valueCounts[value] == 0 { found.append(value) }
    valueCounts[value] += count
  }

  /// The counts of the row, with nothing left for the next one.
  ///
  /// - Parameter copies: Copies that agree with the first and those that do not; `nil` where they are not counted.
  mutating func takeCounts(copies: (repeats: Int64, conflicts: Int64)?) -> CampaignCounts {
    counts.repeats = copies?.repeats
    counts.conflicts = copies?.conflicts
    counts.fine = FineCounts { fine[$0] }
    defer {
      counts = .zero
      for value in fine.indices { fine[value] = 0 }
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
