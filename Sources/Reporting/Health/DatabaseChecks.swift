import Ledger
import System
package import Values

package struct DatabaseChecks {
  package enum Depth: Sendable {
    /// What takes no time and writes nothing, for a service that is asked again and again.
    case glance
    /// A row is written and taken back, and a file that is quickly read is read whole.
    case usual
    /// The file is read whole, whatever its size.
    case deep
  }

  /// Free bytes below which a disk is called short.
  private static let shortDisk: Int64 = 1 << 30
  /// Bytes of a file that is read whole without being asked for, which takes seconds.
  private static let quicklyRead = 256 << 20
  /// Bytes of the write-ahead log that only a reader without an end can cause.
  private static let longLog = 256 << 20
  /// Words that are written to try the disk.
  private static let probe = [UInt64](repeating: 0, count: 8192)

  package private(set) var findings: [HealthFinding] = []
  package private(set) var newest: Instant?

  private let depth: Depth

  /// Checks a database.
  ///
  /// - Parameters:
  ///   - path: The file; `nil` where none is configured.
  ///   - depth: How far to go.
  ///   - advance: Takes the number of parts that are read while a file is read whole.
  package init(_ path: String?, _ depth: Depth, advance: (Int) -> Void = { _ in }) {
    self.depth = depth
    guard let path else {
      findings = [
        .warn(
          .database, Sentence("no database is configured"), cure: Sentence("set one with --database"))
      ]
      return
    }
    do throws(LedgerError) { try requirePlainPath(path) } catch {
      findings.append(.fail(.database, CommandError(error).about("'\(path)'")))
      return
    }
    checkFolder(of: path)
    do { try FileReader.requireReadable(path) } catch {
      findings.append(
        error.code == .notFound
          ? .ok(.database, Sentence("'\(name: path)' does not exist; the first start creates it"))
          : .fail(.database, CommandError(error)))
      return
    }
    let size = fileBytes(path) ?? 0
    do {
      let reader = try LedgerReader(path: path)
      newest = try reader.lastStoredArrival()
      findings.append(
        .ok(.database, Sentence("'\(name: path)' is readable and has the current schema")))
      findings.append(Self.backup(try reader.last(.backup), isEmpty: newest == nil))
      if depth != .glance { checkWriting(path) }
      checkLog(path)
      if depth == .deep || depth == .usual && size <= Self.quicklyRead {
        var begun = 0
        let health = try reader.examine(rereadsBodies: depth == .deep) { _ in
          advance(begun)
          begun += 1
        }
        checkContents(health, path)
      } else if depth == .usual {
        findings.append(
          .ok(
            .integrity,
            Sentence(
              "skipped, because the file has \(size >> 20) MiB; use --deep to read it completely")))
      }
    } catch {
      findings.append(
        error.isDamage
          ? .fail(
            .integrity, Sentence("'\(name: path)' is damaged: \(name: "\(error)")"), cure: Self.cure(path))
          : .fail(.database, CommandError(error).about("'\(path)'")))
    }
  }

  /// A database without a postback has nothing to lose yet.
  private static func backup(_ last: Instant?, isEmpty: Bool) -> HealthFinding {
    guard let last else {
      return isEmpty
        ? .ok(.backup, Sentence("nothing has arrived yet, so there is nothing to back up"))
        : .warn(
          .backup, Sentence("no backup has been made yet"), cure: Sentence("run `skan backup` regularly"))
    }
    return .ok(.backup, Sentence("the last copy by `skan backup` is from \(last)"))
  }

  private static func cure(_ path: String) -> Sentence {
    Sentence(
      "stop the service, delete the -wal and -shm files, and replace '\(name: path)' by the last copy of "
        + "`skan backup`; `sqlite3 '\(name: path)' .recover` can recover later rows")
  }

  private mutating func checkFolder(of path: String) {
    do {
      let folder = try Folder(holding: path)
      let tried = Result {
        if depth != .glance { _ = try ScratchFile(in: folder.path).append(Self.probe) }
      }
      if folder.isWritable, case .success = tried {
        findings.append(.ok(.folder, Sentence("'\(name: folder.path)' is writable")))
      } else if folder.isWritable, case .failure(let error) = tried {
        findings.append(.fail(.folder, CommandError(error)))
      } else {
        findings.append(
          .fail(
            .folder, Sentence("'\(name: folder.path)' is not writable"),
            cure: Sentence("run skan as the owner of the folder, or grant write permission")))
      }
      guard let free = folder.freeBytes else { return }
      let detail = Sentence("\(free >> 20) MiB free")
      findings.append(
        free < Self.shortDisk
          ? .warn(
            .disk, detail, cure: Sentence("free some space, or move the database to a larger disk"))
          : .ok(.disk, detail))
    } catch {
      findings.append(.fail(.folder, CommandError(error)))
    }
  }

  private mutating func checkWriting(_ path: String) {
    do {
      try LedgerUpkeep(path: path).tryWriting()
      findings.append(.ok(.writing, Sentence("wrote a row and rolled it back")))
    } catch {
      findings.append(.fail(.writing, CommandError(error)))
    }
  }

  private mutating func checkLog(_ path: String) {
    let size = fileBytes(path + "-wal") ?? 0
    let detail = Sentence("the write-ahead log has \(size >> 20) MiB")
    findings.append(
      size > Self.longLog
        ? .warn(.log, detail, cure: Sentence("stop the program that keeps a long read transaction open"))
        : .ok(.log, detail))
  }

  private mutating func checkContents(_ health: LedgerHealth, _ path: String) {
    if let damage = health.damage.first {
      findings.append(
        .fail(.integrity, Sentence("the file is damaged: \(name: damage)"), cure: Self.cure(path)))
    } else {
      findings.append(.ok(.integrity, Sentence("SQLite found no damage")))
    }
    let (conversions, copies) = (health.conversions, health.copies)
    let detail = Sentence("\(conversions.stored) conversions and \(copies.stored) copies are stored")
    let rebuild = Sentence(
      "list the differences with `skan rebuild --check`, then stop the service and repair them with "
        + "`skan rebuild --repair`; a program other than skan has changed the file")
    if conversions.stored != conversions.counted || copies.stored != copies.counted {
      findings.append(
        .fail(
          .totals, Sentence("\(detail), but \(conversions.counted) and \(copies.counted) are counted"),
          cure: rebuild))
    } else if let contradiction = health.contradictions.first {
      findings.append(
        .fail(
          .totals, Sentence("\(detail), but \(name: contradiction)"),
          cure: health.wrongTotals > 0
            ? rebuild : Sentence("restore a backup; a program other than skan has changed the file")))
    } else {
      findings.append(.ok(.totals, Sentence("\(detail), and the totals and the index agree")))
    }
  }
}
