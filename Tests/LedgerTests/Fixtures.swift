import Foundation
@testable import Ledger
import Postbacks
import SQLite
import Testing
import Values
@_spi(Unsigned) import Verification

/// A database file of its own for each test, gone with it.
final class ScratchDatabase {
  let folder: URL
  var path: String { folder.appending(path: "skan.db").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "skan-ledger-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}

/// Campaign totals of the test environment.
func totals(_ path: String, dimensions: [CampaignDimension] = [], digits: Int? = nil) throws -> [CampaignRow]
{
  try LedgerReader(path: path).campaigns(
    CampaignQuery(environment: .test, dimensions: dimensions, digits: digits))
}

/// All tables but those of the key index, whose runs depend on how many receipts come together.
func tables(of path: String) throws -> [String: [String]] {
  let connection = try Connection(path: path, mode: .readOnly)
  var tables: [String] = []
  try connection.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'key_*' ORDER BY name"
  ).forEachRow { tables.append($0.text(0) ?? "") }
  var dump: [String: [String]] = [:]
  for table in tables {
    var columns: [String] = []
    try connection.prepare("SELECT name FROM pragma_table_info('\(table)')").forEachRow {
      columns.append($0.text(0) ?? "")
    }
    let row = columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
    try connection.prepare("SELECT \(row) FROM \(table)").forEachRow {
      dump[table, default: []].append($0.text(0) ?? "")
    }
  }
  dump["sqlite_sequence"] = nil
  return dump
}
