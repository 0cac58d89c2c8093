import Values

/// How many reports of Private Click Measurement are kept; further ones are counted.
///
/// They are unsigned, so anyone can send any number of them: what they take on the disk is bounded by the day.
public struct WebClickQuota: Hashable, Sendable {
  /// Bodies of one sender and UTC day, those that are rejected among them; a restart begins anew.
  public let perSender: Int
  /// Bodies of a UTC day, and apart from them as many that are rejected.
  public let perDay: Int
  /// Combinations of sites, ad, trigger and version that are distinguished in a UTC day.
  public let combinationsPerDay: Int

  /// Sets the quota; the defaults keep all reports of a site with a hundred thousand attributed conversions a day.
  public init(perSender: Int = 1000, perDay: Int = 100_000, combinationsPerDay: Int = 100_000) {
    self.perSender = perSender
    self.perDay = perDay
    self.combinationsPerDay = combinationsPerDay
  }

  /// What was kept and distinguished in a day.
  struct Account {
    /// Senders that are distinguished in one day; later ones share one account.
    private static let senders = 10_000
    private static let everyoneElse = "*"

    private let quota: WebClickQuota
    private var bySender: [String: Int] = [:]
    /// The UTC day; `nil` where nothing is known of any.
    private(set) var day: Day?
    private var kept = 0
    private var rejected = 0
    private var combinations = 0

    init(_ quota: WebClickQuota) { self.quota = quota }

    /// Forgets what was read of the day.
    mutating func reset() { day = nil }

    /// Begins a day, or takes up what the database has of it.
    mutating func begin(_ today: Day, kept: Int, rejected: Int, combinations: Int, isSameDay: Bool) {
      if !isSameDay { bySender = [:] }
      (day, self.kept, self.rejected, self.combinations) = (today, kept, rejected, combinations)
    }

    mutating func takesCombination() -> Bool {
      guard combinations < quota.combinationsPerDay else { return false }
      combinations += 1
      return true
    }

    /// Whether one more body is within the quota, which then has it.
    mutating func takes(from sender: String, isRejected: Bool) -> Bool {
      let known = bySender[sender] != nil || bySender.count < Self.senders
      let sender = known ? sender : Self.everyoneElse
      guard bySender[sender, default: 0] < quota.perSender, (isRejected ? rejected : kept) < quota.perDay
      else { return false }
      bySender[sender, default: 0] += 1
      if isRejected { rejected += 1 } else { kept += 1 }
      return true
    }
  }
}
