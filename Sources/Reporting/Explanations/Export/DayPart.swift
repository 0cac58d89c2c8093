import Gzip
import OpenSSL
import System

/// A file of an export while it is written: packed by pieces, each a member of its own.
///
/// Readers take several members one after another for one file. Source: RFC 1952, section 2.2.
final class DayPart {
  let path: PartPath
  private(set) var waiting: [UInt8] = []
  private var file: PartialFile?
  private var digest: SHA256Stream?
  private var rows: Int64 = 0
  private var bytes: Int64 = 0

  /// Starts a file in the folder of its day.
  init(_ path: PartPath, in folder: String) throws {
    self.path = path
    file = try PartialFile(path.fileName, in: folder)
    digest = try SHA256Stream()
  }

  func add(_ line: String) {
    waiting += line.utf8
    rows += 1
  }

  func flush() throws {
    guard !waiting.isEmpty else { return }
    let packed = gzip(waiting)
    waiting = []
    try file?.append(packed)
    try digest?.add(packed)
    bytes += Int64(packed.count)
  }

  /// Writes the file to the disk under its name.
  func commit() throws -> ExportManifest.File? {
    try flush()
    guard let file = file.take(), let digest = digest.take() else { return nil }
    try file.commit()
    return ExportManifest.File(path: path, rows: rows, bytes: bytes, sha256: try digest.hex())
  }
}
