package import Campaigns
package import HTTPServer
package import Intake
package import Ledger
package import Routing
package import System

/// What surrounds a service: its database, its clock, and what it shares with the rest of the daemon.
package struct ServiceContext: Sendable {
  package let database: String
  /// Who may forward and who may read.
  package let access: Access
  /// The clock, for limits and signatures.
  package let clock: WallClock
  /// The certificates and key of TLS; `nil` for plain HTTP.
  package var identity: TLSIdentity?
  /// The version of the program, for the figures.
  package var version = ""
  package var alerts = AlertSnapshot()
  /// Keeps what answers are estimated from.
  package var keeper = PartKeeper()
  /// Figures that others find out.
  package var figures = OperatorFigures()
  /// Takes notifications of the App Store; nil where no app is configured for them.
  package var purchases: PurchaseIntake?
  /// Signs the mappings that apps get; nil where they are not signed.
  package var mappingSignature: (@Sendable (_ body: [UInt8]) -> String?)?

  package init(database: String, access: Access = Access(), clock: @escaping WallClock = systemClock) {
    self.database = database
    self.access = access
    self.clock = clock
  }
}
