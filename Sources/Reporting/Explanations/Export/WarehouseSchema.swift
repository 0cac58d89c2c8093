import JSONText
package import Tables
import Values

/// The systems whose schema an export comes with, and the type of each column there.
///
/// Money, shares and other decimals are exact everywhere, with six decimals.
/// Sources: Google, "BigQuery: specifying a schema"; Snowflake, "Summary of data types"; DuckDB, "JSON loading".
package enum WarehouseSchema: String, CaseIterable, Sendable {
  case bigQuery = "bigquery.json"
  case snowflake = "snowflake.sql"
  case duckDB = "duckdb.sql"

  /// The file's name in the folder of an export.
  package var fileName: String { "schema-\(rawValue)" }

  /// The file's text, with a line break at the end.
  ///
  /// - Parameters:
  ///   - headers: The columns of a row as the files have them.
  ///   - hasCorrections: Whether there are files of corrections, without which DuckDB can make no view of them.
  package func text(of headers: [Header], hasCorrections: Bool) -> String {
    switch self {
    case .bigQuery: JSONOutput.array(Self.fields(headers)).text(pretty: true) + "\n"
    case .snowflake: Self.snowflakeTable(headers)
    case .duckDB: Self.duckDBViews(headers, hasCorrections: hasCorrections)
    }
  }

  // MARK: BigQuery

  private static func fields(_ headers: [Header]) -> [JSONOutput] {
    headers.flatMap { header in
      header.fields.map { name in
        let (type, parts) = bigQueryType(header.kind)
        let mode =
          switch header.kind {
          case .words, .records: "REPEATED"
          case _ where header.isOptional: "NULLABLE"
          default: "REQUIRED"
          }
        var members: [JSONOutput.Member] = [
          .init("name", .string(name)), .init("type", .string(type)), .init("mode", .string(mode)),
          .init("description", .string(header.help.english)),
        ]
        if let parts { members.append(.init("fields", .array(fields(parts)))) }
        return .object(members)
      }
    }
  }

  private static func bigQueryType(_ kind: ColumnKind) -> (type: String, parts: [Header]?) {
    switch kind {
    case .count: ("INTEGER", nil)
    case .expectedCount, .share, .change, .ratio, .money: ("NUMERIC", nil)
    case .interval(let bound): bigQueryType(bound)
    case .time: ("TIMESTAMP", nil)
    case .day: ("DATE", nil)
    case .identifier, .text, .words: ("STRING", nil)
    case .flag: ("BOOLEAN", nil)
    case .records(let headers): ("RECORD", headers)
    }
  }

  // MARK: Snowflake

  private static func snowflakeTable(_ headers: [Header]) -> String {
    let columns = headers.flatMap { header in
      header.fields.map { name in
        "  \(name) \(snowflakeType(header.kind))\(header.isOptional || isList(header.kind) ? "" : " NOT NULL")"
          + " COMMENT \(quoted(header.help.english))"
      }
    }
    return """
      CREATE TABLE IF NOT EXISTS postbacks (
      \(columns.joined(separator: ",\n"))
      );
      -- Load with: COPY INTO postbacks FROM @stage FILE_FORMAT = (TYPE = JSON) MATCH_BY_COLUMN_NAME = CASE_INSENSITIVE
      --   PATTERN = '.*/date=[0-9-]+/part-[0-9]+[.]ndjson[.]gz';

      """
  }

  private static func snowflakeType(_ kind: ColumnKind) -> String {
    switch kind {
    case .count: "NUMBER(38,0)"
    case .expectedCount, .share, .change, .ratio, .money: "NUMBER(38,6)"
    case .interval(let bound): snowflakeType(bound)
    case .time: "TIMESTAMP_TZ"
    case .day: "DATE"
    case .identifier, .text: "VARCHAR"
    case .words, .records: "ARRAY"
    case .flag: "BOOLEAN"
    }
  }

  private static func isList(_ kind: ColumnKind) -> Bool {
    switch kind {
    case .words, .records: true
    default: false
    }
  }

  // MARK: DuckDB

  /// A view of the rows, and one in which corrections replace what they correct.
  private static func duckDBViews(_ headers: [Header], hasCorrections: Bool) -> String {
    let columns = headers.flatMap { header in
      header.fields.map { "    \"\($0)\": '\(duckDBType(header.kind))'" }
    }.joined(separator: ",\n")
    func files(_ folder: String) -> String {
      """
      read_json('\(folder)date=*/part-*.ndjson.gz', format = 'newline_delimited', filename = true, columns = {
      \(columns)
        })
      """
    }
    let rows = """
      -- Run it in the folder of the export, and again after a run: the first correction changes it.
      CREATE OR REPLACE VIEW exported_postbacks AS SELECT * EXCLUDE (filename)
        FROM \(files(""));

      """
    guard hasCorrections else {
      return rows + "CREATE OR REPLACE VIEW corrected_postbacks AS FROM exported_postbacks;\n"
    }
    return rows + """
      CREATE OR REPLACE VIEW corrected_postbacks AS SELECT * EXCLUDE (filename) FROM (
        SELECT * FROM \(files(""))
        UNION ALL BY NAME SELECT * FROM \(files("corrections/")))
        QUALIFY row_number() OVER (
          PARTITION BY network, id, "window" ORDER BY filename LIKE 'corrections/%' DESC, filename DESC) = 1;

      """
  }

  private static func duckDBType(_ kind: ColumnKind) -> String {
    switch kind {
    case .count: "BIGINT"
    case .expectedCount, .share, .change, .ratio, .money: "DECIMAL(38,6)"
    case .interval(let bound): duckDBType(bound)
    case .time: "TIMESTAMPTZ"
    case .day: "DATE"
    case .identifier, .text: "VARCHAR"
    case .words: "VARCHAR[]"
    case .flag: "BOOLEAN"
    case .records(let headers):
      "STRUCT("
        + headers.flatMap { header in header.fields.map { "\"\($0)\" \(duckDBType(header.kind))" } }
        .joined(separator: ", ") + ")[]"
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }
}
