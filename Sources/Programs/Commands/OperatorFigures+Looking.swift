import Ledger
import Service

extension OperatorFigures {
  /// Takes what a database knows of mappings and copies; where it can't be read, what is known stays.
  func look(into database: String) {
    do throws(LedgerError) {
      let reader = try LedgerReader(path: database)
      let (mappings, refused) = (try reader.mappings().count, try reader.refusedMappings().count)
      let (refusal, backup) = (try reader.last(.mappingRefused), try reader.last(.backup))
      update { figures in
        figures.mappingsInForce = mappings
        figures.mappingsRefused = refused
        figures.lastRefusedMapping = refusal
        figures.lastBackup = backup
      }
    } catch {}
  }
}
