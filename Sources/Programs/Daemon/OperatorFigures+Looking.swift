import Ledger
import Service

extension OperatorFigures {
  /// Takes what a database knows of mappings and copies; where it can't be read, what is known stays.
  func look(into database: String) {
    inTurn {
      do throws(LedgerError) {
        let reader = try LedgerReader(path: database)
        let (mappings, rejected) = (try reader.mappings().count, try reader.rejectedMappings().count)
        let (rejection, backup) = (try reader.last(.mappingRejected), try reader.last(.backup))
        update { figures in
          figures.mappingsInForce = mappings
          figures.mappingsRejected = rejected
          figures.lastRejectedMapping = rejection
          figures.lastBackup = backup
        }
      } catch {}
    }
  }
}
