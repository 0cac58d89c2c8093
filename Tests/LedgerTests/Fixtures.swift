import Foundation
@testable import Ledger
import Postbacks
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
