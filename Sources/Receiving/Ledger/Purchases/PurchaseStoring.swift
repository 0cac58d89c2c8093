package import Postbacks
import SQLite
import Values

/// Counts a purchase, a refund or the like that the App Store signed, once.
package struct PurchaseStoring: LedgerChange, Equatable {
  package static let kind = ChangeKind.purchase

  /// What became of it.
  package enum Outcome: Hashable, Sendable {
    /// It counts, as this type.
    case counted(PurchaseType)
    /// The notification, or the same side of the transaction, counts already.
    case repeated
    /// It is of a time whose purchases were pruned, so that a repeat would not be known.
    case tooOld
  }

  /// Whose it is, digested with the database's key.
  package struct Digests: Equatable, Sendable {
    /// Of the first transaction of a subscription.
    let account: [UInt8]
    let transaction: [UInt8]

    package init(account: [UInt8], transaction: [UInt8]) {
      (self.account, self.transaction) = (account, transaction)
    }
  }

  private let environment: PurchaseEnvironment
  private let app: AppID
  private let type: PurchaseType
  private let at: Instant
  private let product: String
  private let currency: String
  private let micros: Int64
  private let digests: Digests
  /// The 16 bytes of its UUID.
  private let notification: [UInt8]

  package init(
    _ event: PurchaseEvent, app: AppID, environment: PurchaseEnvironment, digests: Digests,
    notification: [UInt8]
  ) {
    self.init(
      environment: environment, app: app, type: event.type, at: event.at, product: event.product,
      currency: event.amount?.currency.text ?? "", micros: event.amount?.micros ?? 0, digests: digests,
      notification: notification)
  }

  init(
    environment: PurchaseEnvironment, app: AppID, type: PurchaseType, at: Instant, product: String,
    currency: String, micros: Int64, digests: Digests, notification: [UInt8]
  ) {
    (self.environment, self.app, self.type, self.at) = (environment, app, type, at)
    (self.product, self.currency, self.micros) = (product, currency, micros)
    (self.digests, self.notification) = (digests, notification)
  }

  package func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Outcome {
    let keptFrom = try connection.integer("SELECT kept_from FROM purchase_key") ?? 0
    guard at.milliseconds >= keptFrom else { return .tooOld }
    let known = try connection.prepare(
      "SELECT 1 FROM purchase WHERE notification = ?1 OR (transaction_digest = ?2 AND side = ?3)")
    try known.bind(notification, digests.transaction, type.side.rawValue)
    if try known.firstRow({ _ in true }) == true { return .repeated }
    let type = try countedType(on: connection)
    let micros = try countedMicros(on: connection)
    try connection.prepare(
      """
      INSERT INTO purchase(
        at, environment, app, product, type, side, currency, micros, account, transaction_digest, notification)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      """
    ).run(
      at.milliseconds, environment.rawValue, app.number, product, type.rawValue, type.side.rawValue, currency,
      micros, digests.account, digests.transaction, notification)
    // A sum that 64 bits do not hold is held at their end, because a failed change would be sent again for ever.
    try connection.prepare(
      """
      INSERT INTO purchase_total(environment, app, day, product, type, currency, counted, micros)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7)
      ON CONFLICT DO UPDATE SET counted = counted + 1,
        micros = CASE WHEN micros <= \(Int64.max) - excluded.micros THEN micros + excluded.micros
          ELSE \(Int64.max) END
      """
    ).run(environment.rawValue, app.number, Int64(at.day.number), product, type.rawValue, currency, micros)
    return .counted(type)
  }

  /// A renewal is the conversion of a trial where the account's last charge before it was a trial.
  private func countedType(on connection: borrowing LedgerDatabase) throws(LedgerError) -> PurchaseType {
    guard type == .renewal else { return type }
    let last = try connection.prepare(
      """
      SELECT type FROM purchase WHERE account = ?1 AND side = \(PurchaseType.Side.charge.rawValue) AND at <= ?2
      ORDER BY at DESC, id DESC LIMIT 1
      """)
    try last.bind(digests.account, at.milliseconds)
    let isTrial = try last.firstRow { $0.text(0) == PurchaseType.trialStart.rawValue } ?? false
    return isTrial ? .trialConversion : type
  }

  /// A reversal gives back what the refund of the transaction took, which may have been a part.
  private func countedMicros(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Int64 {
    guard type == .refundReversal else { return micros }
    let refund = try connection.prepare(
      "SELECT micros FROM purchase WHERE transaction_digest = ?1 AND side = ?2 AND currency = ?3")
    try refund.bind(digests.transaction, PurchaseType.Side.refund.rawValue, currency)
    return try refund.firstRow { $0.count(0) } ?? micros
  }

  package static let form = Form(Self.init) {
    ($0.environment, $0.app, $0.type, $0.at, $0.product, $0.currency, $0.micros, $0.digests, $0.notification)
  } check: { storing throws(ChangeDefect) in
    guard storing.micros >= 0 else { throw .badValue(of: "amount") }
  }
}

extension PurchaseStoring.Digests: ChangeRecord {
  package static let form = Form(Self.init) { ($0.account, $0.transaction) }
}

extension PurchaseEnvironment: ChangeField {}
extension PurchaseType: ChangeField {}
