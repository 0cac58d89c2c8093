import CSVText
import JSONText
import Mappings
import Postbacks
import Values

struct ValueRows {
  private let table: CSVTable
  private let columns: [String]
  private let valueColumn: String

  /// Takes a file apart.
  ///
  /// - Throws: ``ImportDefect/notThisFormat`` when a column is missing.
  init(_ bytes: [UInt8], _ columns: [String], value: String) throws(ImportDefect) {
    guard let table = CSVTable(bytes), Set(columns).isSubset(of: table.header) else { throw .notThisFormat }
    self.table = table
    self.columns = columns
    valueColumn = value
  }

  /// Reads all rows; what can't be read becomes a remark.
  ///
  /// - Parameters:
  ///   - log: Gets the remarks.
  ///   - conditions: What a row asks for; `nil` where the row is not for this mapping.
  func rules(
    _ log: inout ImportLog,
    _ conditions: (_ row: JSONObject, _ log: inout ImportLog) throws(RuleFault) -> Conditions?
  ) -> [FineRule] {
    for column in table.header where !columns.contains(column) {
      log.add(.memberIgnored, Sentence("the column \(name: quoted(column)) is not imported"))
    }
    log.add(.precedenceAssumed, Sentence("if several values match, the highest applies"))
    var rules: [FineRule] = []
    for (index, row) in table.rows.enumerated() {
      do throws(RuleFault) {
        guard let row else { throw RuleFault(Sentence("its number of cells differs from the header")) }
        guard let conditions = try conditions(row, &log) else { continue }
        let value = try row.fineValue(valueColumn)
        guard !rules.contains(where: { $0.value == value }) else {
          throw RuleFault(Sentence("value \(value.number) is a duplicate"))
        }
        rules.append(FineRule(value: value, conditions: conditions))
      } catch { log.drop(Sentence("row \(index + 1)"), error) }
    }
    return rules
  }
}
