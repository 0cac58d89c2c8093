/// How a ledger is opened.
public struct LedgerSettings: Sendable {
  /// How many rejected bodies are kept.
  public let rejectedQuota: RejectedQuota
  /// How many bytes of further copies are kept.
  public let copyQuota: CopyQuota
  /// Keys that stay in memory before they are written as a run.
  public let recentKeys: Int
  /// Receipts of devices, and as many of each network, that wait at most; more are turned away.
  public let queueCapacity: Int
  /// How long a busy writer lets receipts gather before it commits them together.
  public let gatherMicroseconds: UInt32
  /// How long a transaction waits for another program's lock.
  public let busyMilliseconds: Int32
  /// The journal that the database follows; `nil` for a database of its own.
  package var journal: LedgerJournal?
  /// Takes note of how far a database has come that begins to follow its journal, before anything else is done with it.
  package var onCatchingUp: @Sendable (JournalProgress) -> Void = { _ in }

  /// How SQLite writes and caches a ledger; the size of the cache is in KiB.
  ///
  /// FULL, because a 200 is a promise that survives a power cut: a device never sends again.
  /// Source: <https://www.sqlite.org/pragma.html#pragma_synchronous>
  static let ofSQLite = """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA wal_autocheckpoint = 4000;
    PRAGMA journal_size_limit = 67108864;
    PRAGMA cache_size = -16384;
    PRAGMA temp_store = MEMORY;
    """

  /// Sets how a ledger is opened; the defaults suit a server.
  public init(
    rejectedQuota: RejectedQuota = RejectedQuota(), copyQuota: CopyQuota = CopyQuota(),
    recentKeys: Int = 1 << 13, queueCapacity: Int = 1 << 14,
    gatherMicroseconds: UInt32 = 3000,
    busyMilliseconds: Int32 = 5000
  ) {
    self.copyQuota = copyQuota
    self.gatherMicroseconds = gatherMicroseconds
    self.rejectedQuota = rejectedQuota
    self.recentKeys = recentKeys
    self.queueCapacity = queueCapacity
    self.busyMilliseconds = busyMilliseconds
  }
}
