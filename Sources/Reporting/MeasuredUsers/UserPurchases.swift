package import Intake
package import Ledger
import OpenSSL
package import Postbacks
import Simulation
package import Values

/// What users paid in the App Store by Apple's notifications, for the revenue of days that events of an app do not show:
/// renewals come while the app is shut.
package struct UserPurchases: Sendable {
  /// The moments between which every purchase is known.
  package let known: ClosedRange<Instant>
  /// Accounts of the file.
  package let accounts: Int
  /// Accounts with a payment.
  package let paying: Int
  /// By the user's number in random draws.
  private let payments: [UInt64: [AccountPayment]]

  /// Joins a file of accounts with the purchases of an app.
  ///
  /// - Returns: `nil` where the database has no purchase of the app.
  /// - Throws: ``LedgerError``; `OpenSSLError` where an account cannot be digested.
  package init?(_ file: AccountFile, of app: AppID, in reader: LedgerReader) throws {
    guard let key = try reader.purchaseKey(),
      let known = try reader.keptPurchases(of: app, environment: .production)
    else { return nil }
    let digest = PurchaseDigest(key: key, app: app, environment: .production)
    let digests = try file.accounts.map { try digest.account($0.originalTransaction) }
    let found = try reader.payments(of: digests)
    var payments: [UInt64: [AccountPayment]] = [:]
    for (account, digest) in zip(file.accounts, digests) {
      payments[Cohort.key(of: account.user), default: []] += found[digest] ?? []
    }
    self.init(
      payments, known: known, accounts: digests.count, paying: digests.count { found[$0]?.isEmpty == false })
  }

  init(
    _ payments: [UInt64: [AccountPayment]], known: ClosedRange<Instant>, accounts: Int, paying: Int
  ) {
    (self.payments, self.known, self.accounts, self.paying) = (payments, known, accounts, paying)
  }

  var currencies: Set<CurrencyCode> { Set(payments.values.joined().map(\.currency)) }

  /// What a user paid within so many seconds of the install, in millionths; `nil` where not all of that time is known.
  func paid(
    by user: UInt64, installed: Instant, within seconds: Int64, in currency: CurrencyCode
  ) -> Int64? {
    let end = installed + seconds * 1000
    guard known.contains(installed), end <= known.upperBound else { return nil }
    return (payments[user] ?? []).reduce(Amount.zero) { sum, payment in
      guard payment.currency == currency, payment.at >= installed, payment.at < end else { return sum }
      return sum.adding(Amount(micros: payment.micros)).sum
    }.micros
  }
}
