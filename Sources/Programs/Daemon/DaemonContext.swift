import Campaigns
import Ledger
import Service
import System

/// What every part of the daemon needs.
struct DaemonContext: Sendable {
  /// The database's path.
  let database: String
  /// Where changes of the database go.
  var changes: any ChangeWriter & Sendable
  let log: ServiceLog
  let clock: WallClock
  /// What the parts find out and `/metrics` shows.
  let figures: OperatorFigures
  var channels = DeliveryChannels()
  /// Has what estimates are made of, which pages ask for too; `nil` without pages.
  var keeper: PartKeeper?
}
