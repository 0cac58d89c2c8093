/// The final moments of own users, beside an assumed law for users that they do not represent.
///
/// With n own users, theirs have the weight n / (n + ``assumedUsers``).
struct LearnedFinality: Hashable, Sendable {
  /// Own users whose value was final within the same hours, each moment as likely.
  struct Part: Hashable, Sendable {
    let hours: ClosedRange<Double>
    let users: Int64
  }

  let parts: [Part]
  /// Whether the assumed law is that of early rises; otherwise all moments are as likely.
  let isElseEarly: Bool

  /// How many own users the assumed law weighs as much as.
  static let assumedUsers = 10.0

  var users: Double { parts.reduce(0) { $0 + Double($1.users) } }

  /// The integral, over the hours up to one, of the probability that the value is final by then.
  func finalHours(until hours: Double, in range: ClosedRange<Double>) -> Double {
    let own = parts.reduce(0.0) {
      $0 + Double($1.users) * SendingDelay.Finality.even.finalHours(until: hours, in: $1.hours)
    }
    let assumed: SendingDelay.Finality = isElseEarly ? .early : .even
    return (own + Self.assumedUsers * assumed.finalHours(until: hours, in: range))
      / (users + Self.assumedUsers)
  }
}
