extension WindowOutcome {
  /// Counts what a conversion's window ended with, sent or not.
  @inline(__always)
  mutating func count(_ end: WindowEnd, worth: Worth) {
    if end.fine >= 0 {
      trueFine[Int(end.fine)] += 1
      revenueByFine[Int(end.fine)].add(end.revenue)
    }
    if end.coarse >= 0 {
      trueCoarse[Int(end.coarse)] += 1
      revenueByCoarse[Int(end.coarse)].add(end.revenue)
    }
    revenue.add(end.revenue)
    revenueAtUpdate.add(end.revenueAtUpdate)
    captured.add(worth.representative)
  }

  /// Counts a winning postback.
  @inline(__always)
  mutating func count(shown: (fine: Int8, coarse: Int8), worth: Worth, delay: Int64) {
    postbacks += 1
    if shown.fine < 0, shown.coarse < 0 { nulls += 1 }
    if shown.fine == 0 { zeroes += 1 }
    if shown.fine >= 0 { visibleFine[Int(shown.fine)] += 1 }
    if shown.coarse >= 0 { visibleCoarse[Int(shown.coarse)] += 1 }
    visible.add(worth.representative)
    visibleLow.add(worth.low)
    visibleHigh.add(worth.high)
    if worth.isOpen { withoutLimit += 1 }
    delays.add(milliseconds: delay)
  }
}

extension ArrivalDay {
  /// Counts a winning postback.
  @inline(__always)
  mutating func count(shown: (fine: Int8, coarse: Int8), worth: Worth) {
    postbacks += 1
    if shown.fine < 0, shown.coarse < 0 { nulls += 1 }
    if shown.fine == 0 { zeroes += 1 }
    visible.add(worth.representative)
  }
}
