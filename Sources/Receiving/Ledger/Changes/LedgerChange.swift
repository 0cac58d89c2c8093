/// One kind of write to a ledger: what is to happen, as a value.
///
/// Applying it asks no clock, no random numbers and no other file, and gives the same rows in every ledger that had the
/// same changes before, in the same order.
///
/// ```swift
/// struct TokenEnd: LedgerChange {
///   static let kind = ChangeKind.tokenRevocation
///   static let form = Form(Self.init) { ($0.id, $0.at) }
///   let id: Int64
///   let at: Instant
///   func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Bool {
///     try connection.prepare("UPDATE token SET revoked_at = ?2 WHERE id = ?1").run(id, at.milliseconds)
///     return connection.changedRows > 0
///   }
/// }
/// ```
package protocol LedgerChange: Sendable, ChangeRecord {
  /// What it did, which its author may want to know.
  associatedtype Outcome: Sendable
  static var kind: ChangeKind { get }
  /// Does it, within the transaction that is open.
  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Outcome
}

/// What can be written to a ledger; the raw value is in the binary form, and a released one is never used again.
///
/// A further field of a kind, and a further value of a field, are a further kind: a node of an older program stops at a kind
/// that it does not know, and would pass over a change that it cannot read.
package enum ChangeKind: UInt8, CaseIterable, Sendable {
  /// The two that are no ``LedgerChange``, because they come in their thousands or mark those: see ``AnyChange``.
  static let receipt: UInt8 = 1
  static let importing: UInt8 = 2

  case purchase = 3
  case purchaseKey, purchasePruning
  case relayProgress, relayRetry, deadLetterRetry
  case tokenAddition, tokenRevocation, tokenUses
  case mappings, servedMappings
  case draftAddition, draftSaving, draftRemoval
  case rowsStoring, rowsRemoval
  case worthStoring, worthRemoval
  case usersImport
  case alerts, alertsForgetting
  case digestNotices, noticeDelay, noticeRemoval
  case lastEvent
  case pruning
  case journalStart, leaseClaim, leased, levelRaise, checkpointMark, checkpointComparison

  /// Reads the fields of a change of this kind.
  func read(_ bytes: inout ChangeDecoder) throws(ChangeDefect) -> any LedgerChange {
    switch self {
    case .relayProgress: try bytes.next(RelayProgress.self)
    case .relayRetry: try bytes.next(RelayRetry.self)
    case .deadLetterRetry: try bytes.next(DeadLetterRetry.self)
    case .tokenAddition: try bytes.next(TokenAddition.self)
    case .tokenRevocation: try bytes.next(TokenRevocation.self)
    case .tokenUses: try bytes.next(TokenUses.self)
    case .mappings: try bytes.next(MappingExchange.self)
    case .servedMappings: try bytes.next(ServedMappings.self)
    case .draftAddition: try bytes.next(DraftAddition.self)
    case .draftSaving: try bytes.next(DraftSaving.self)
    case .draftRemoval: try bytes.next(DraftRemoval.self)
    case .rowsStoring: try ReferenceTables.readStoring(&bytes)
    case .rowsRemoval: try ReferenceTables.readRemoval(&bytes)
    case .worthStoring: try bytes.next(WorthStoring.self)
    case .worthRemoval: try bytes.next(WorthRemoval.self)
    case .usersImport: try bytes.next(UsersImportNote.self)
    case .alerts: try bytes.next(AlertsSaving.self)
    case .alertsForgetting: try bytes.next(AlertsForgetting.self)
    case .digestNotices: try bytes.next(DigestNotices.self)
    case .noticeDelay: try bytes.next(NoticeDelay.self)
    case .noticeRemoval: try bytes.next(NoticeRemoval.self)
    case .lastEvent: try bytes.next(LastEventNote.self)
    case .pruning: try bytes.next(Pruning.self)
    case .journalStart: try bytes.next(JournalStart.self)
    case .leaseClaim: try bytes.next(LeaseClaim.self)
    case .leased: try LeasedChanges.read(&bytes)
    case .levelRaise: try bytes.next(LevelRaise.self)
    case .checkpointMark: try bytes.next(CheckpointMark.self)
    case .checkpointComparison: try bytes.next(CheckpointComparison.self)
    case .purchase: try bytes.next(PurchaseStoring.self)
    case .purchaseKey: try bytes.next(PurchaseKeyStoring.self)
    case .purchasePruning: try bytes.next(PurchasePruning.self)
    }
  }
}

/// Where changes of a ledger go, and where they are seen then.
package protocol ChangeWriter {
  /// Writes a change.
  ///
  /// - Returns: What it did, once it is on disk and readers see it.
  /// - Throws: ``LedgerError``; then nothing has changed, but for ``LedgerError/journal(reason:remedy:)``: what the journal has
  ///   may be applied later.
  func write<Change: LedgerChange>(_ change: Change) throws(LedgerError) -> Change.Outcome
  /// The database file that shows what was written.
  var path: String { get }
  /// Asks a reader of that file a short question; a service, which asks every second, has one that stays open.
  ///
  /// - Throws: What the question throws, or ``LedgerError`` where the file can't be opened.
  func read<Value: Sendable>(
    _ question: @Sendable (LedgerReader) throws(LedgerError) -> Value
  ) throws(LedgerError) -> Value
}

extension ChangeWriter {
  package func read<Value: Sendable>(
    _ question: @Sendable (LedgerReader) throws(LedgerError) -> Value
  ) throws(LedgerError) -> Value {
    try question(LedgerReader(path: path))
  }
}
