import Configuration
import Journal
import Ledger
import Pulls
import System
import Verification

extension PullIntake {
  /// The intake beside the service's own, which appends to a journal under another name.
  init(_ keyring: Keyring, beside configuration: ServiceConfiguration) throws {
    var settings = LedgerSettings()
    if let address = configuration.journal,
      let node = NodeName(String(hostName.lowercased().prefix(50)) + "-pulls") ?? NodeName("pulls")
    {
      settings.journal = LedgerJournal(PostgreSQLJournal(try address.readable()), as: node)
    }
    self.init(keyring: keyring, settings: settings)
  }
}
