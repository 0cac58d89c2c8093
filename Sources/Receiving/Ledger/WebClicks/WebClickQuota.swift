import Values

/// How many reports of Private Click Measurement are kept; further ones are counted.
///
/// They are unsigned, so anyone can send any number of them: what they take on the disk is bounded by the day.
public struct WebClickQuota: Equatable, Sendable {
  /// Bodies of one sender and UTC day, those that are rejected among them.
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
    private let quota: WebClickQuota
    /// The UTC day; `nil` where nothing is known of any.
    private(set) var day: Day?
    private var kept = 0
    private var rejected = 0
    private var combinations = 0

    init(_ quota: WebClickQuota) { self.quota = quota }

    /// Forgets what was read of the day.
    mutating func reset() { day = nil }

    /// Begins a day, or takes up what the database has of it.
    mutating func begin(_ today: Day, kept: Int, rejected: Int, combinations: Int) {
      (day, self.kept, self.rejected, self.combinations) = (today, kept, rejected, combinations)
    }

    mutating func takesCombination() -> Bool {
      guard combinations < quota.combinationsPerDay else { return false }
      combinations += 1
      return true
    }

    /// Whether one more body is within the day's quota.
    func hasRoom(isRejected: Bool) -> Bool { (isRejected ? rejected : kept) < quota.perDay }

    mutating func add(isRejected: Bool) { if isRejected { rejected += 1 } else { kept += 1 } }
  }
}
