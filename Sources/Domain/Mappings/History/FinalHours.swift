import Values

/// How long after first launch the values of own users were final, under one version of a mapping.
public struct FinalHours: Equatable, Sendable {
  private var users: [Int: [Int64]] = [:]

  /// The spans that hours are counted by, without a gap: hours of the first day, three hours up to the third, half days up to
  /// the seventh, and days up to the end of the longest chain of rises.
  public static let spans: [Range<Int>] = {
    let steps = [(24, 1), (72, 3), (168, 12), (63 * 24, 24)]
    var spans: [Range<Int>] = []
    for (end, width) in steps {
      while (spans.last?.upperBound ?? 0) < end {
        let start = spans.last?.upperBound ?? 0
        spans.append(start..<start + width)
      }
    }
    return spans
  }()

  public init() {}

  /// Counts users of a value.
  ///
  /// - Parameters:
  ///   - count: How many, from 0.
  ///   - value: The fine value that they ended with.
  ///   - hour: The hour after first launch in which it was final; hours beyond ``spans`` are held at their ends.
  public mutating func add(_ count: Int64 = 1, value: Int, hour: Int) {
    let span = Self.spans.firstIndex { hour < $0.upperBound } ?? Self.spans.count - 1
    let known = users[value]?[span] ?? 0
    users[value, default: Array(repeating: 0, count: Self.spans.count)][span] = known.addingHeld(
      max(0, count))
  }

  /// The users by value and span, without those that have none.
  public var counts: [(value: Int, span: Range<Int>, users: Int64)] {
    users.ordered { $0.key < $1.key }.flatMap { value, users in
      zip(Self.spans, users).filter { $1 > 0 }.map { (value: value, span: $0, users: $1) }
    }
  }

  /// How many users there are, of all values.
  var total: Double { users.values.joined().reduce(0) { $0 + Double($1) } }

  /// How many users ended with a value.
  func count(of value: Int) -> Double { (users[value] ?? []).reduce(0) { $0 + Double($1) } }

  /// The span in which the value was final for half of its users; `nil` without any.
  public func median(of value: Int) -> Range<Int>? {
    guard let users = users[value] else { return nil }
    let all = users.reduce(Int64(0)) { $0.addingHeld($1) }
    var passed: Int64 = 0
    return zip(Self.spans, users).first { _, count in
      passed = passed.addingHeld(count)
      return all > 0 && passed >= all - passed
    }?.0
  }

  /// The law of the final moment of a value, as far as own users show it.
  ///
  /// - Parameters:
  ///   - final: When it can be final, in hours; users outside of it do not count.
  ///   - assumed: The law for users that the own users do not represent.
  /// - Returns: Both laws together; the assumed one where no own user has the value.
  func law(of value: Int, within final: ClosedRange<Double>, assumed: SendingDelay.Finality)
    -> SendingDelay.Finality
  {
    var parts: [LearnedFinality.Part] = []
    for (span, count) in zip(Self.spans, users[value] ?? []) where count > 0 {
      let from = max(final.lowerBound, Double(span.lowerBound))
      let to = min(final.upperBound, Double(span.upperBound))
      if from <= to { parts.append(LearnedFinality.Part(hours: from...to, users: count)) }
    }
    guard !parts.isEmpty else { return assumed }
    return .learned(LearnedFinality(parts: parts, isElseEarly: assumed == .early))
  }
}
