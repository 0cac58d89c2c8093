public import Ledger
public import Mappings
import Postbacks
public import System
public import Values

/// Takes mapping files into a ledger: what is right replaces what was there, what is broken leaves it in force.
public struct MappingLoad: Sendable {
  /// A mapping file, read or not.
  public struct File: Sendable {
    /// The name that stands for it in the ledger.
    public let source: String
    /// Its bytes, or why they can't be had.
    public let contents: Result<[UInt8], FileError>

    /// Names bytes.
    public init(source: String, contents: Result<[UInt8], FileError>) {
      self.source = source
      self.contents = contents
    }

    /// Reads a file; of one that is too long for a mapping only as much as shows that.
    public init(path: String, source: String) {
      self.source = source
      do throws(FileError) {
        let file = try FileReader(path)
        var bytes: [UInt8] = []
        while bytes.count <= MappingDocument.largestFile {
          let chunk = try file.read()
          if chunk.isEmpty { break }
          bytes += chunk
        }
        contents = .success(bytes)
      } catch {
        contents = .failure(error)
      }
    }
  }

  /// What became of one file.
  public struct Entry: Sendable {
    /// The file's name in the ledger.
    public let source: String
    /// What became of it.
    public let outcome: Outcome
    /// What a check found, also where the file was taken.
    public let findings: [Mappings.Finding]
    /// The mapping, where the file holds one.
    public let mapping: Mapping?
    /// Whether an older state of the file stays in force.
    public let keepsOld: Bool
  }

  /// What can become of a file.
  public enum Outcome: Sendable {
    /// It is new.
    case added
    /// It is another than before.
    case changed
    /// It is what it was.
    case unchanged
    /// It has the bytes of another file, which counts.
    case duplicate(of: String)
    /// It is gone, and its mapping with it.
    case removed
    /// It has errors.
    case refused
    /// It can't be read.
    case unreadable(FileError)
    /// Another file has another mapping of the same app from the same moment; `inForce` names the file whose mapping
    /// holds there, and is `nil` where none does.
    case clash(with: String, inForce: String?)

    /// The word for it.
    public var word: String {
      switch self {
      case .added: "added"
      case .changed: "changed"
      case .unchanged: "unchanged"
      case .duplicate: "duplicate"
      case .removed: "removed"
      case .refused: "refused"
      case .unreadable: "unreadable"
      case .clash: "clash"
      }
    }

    /// Whether the file was not taken.
    public var isFailure: Bool {
      switch self {
      case .added, .changed, .unchanged, .duplicate, .removed: false
      case .refused, .unreadable, .clash: true
      }
    }
  }

  /// What a load would change.
  public struct Plan: Sendable {
    /// What becomes of each file, in the order of the files; removed ones follow.
    public let entries: [Entry]
    /// What is in force after it.
    public let inForce: [StoredMapping]
  }

  /// Takes files into a ledger, in one transaction.
  ///
  /// What is in force stays in force while its file claims its app and moment: a second file with other content is
  /// refused, whatever its name. Of several new files that differ none is taken.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - store: Where they go.
  ///   - isWhole: Whether these are all files there are, so that mappings of others are removed, and the ledger keeps
  ///     which ones were refused. Otherwise a mapping takes the place of the one of the same app from the same moment,
  ///     whatever that one's file was called, and a name that stands for another one gets the app and the moment added.
  ///   - now: The time.
  /// - Returns: What became of each file, in the order of the files; removed ones follow.
  /// - Throws: ``LedgerError``; then nothing has changed.
  public static func load(_ files: [File], into store: MappingStore, isWhole: Bool, now: Instant)
    throws(LedgerError) -> [Entry]
  {
    let old = try store.mappings()
    let plan = plan(files, over: old, isWhole: isWhole, now: now)
    let oldRefused = try store.refused()
    let refused = Self.refused(plan.entries, before: oldRefused, isWhole: isWhole, now: now)
    let before = Set(oldRefused.map { [$0.source, $0.state, $0.reason] })
    let isNewlyRefused = refused.contains { !before.contains([$0.source, $0.state, $0.reason]) }
    if Set(plan.inForce) != Set(old) || refused != oldRefused {
      try store.replaceAll(
        with: plan.inForce, refused: refused, refusedAt: isNewlyRefused ? now : nil)
    }
    return plan.entries
  }

  /// What a load of files over stored mappings would change; the parameters are those of ``load(_:into:isWhole:now:)``.
  public static func plan(
    _ files: [File], over old: [StoredMapping], isWhole: Bool, now: Instant
  ) -> Plan {
    let contest = MappingContest(files.map { Candidate($0) }, over: old, isWhole: isWhole)
    var kept = contest.staying
    var entries: [Entry] = []
    for (candidate, verdict) in zip(contest.candidates, contest.verdicts) {
      let outcome: Outcome
      switch verdict {
      case .takes(let claim):
        let before = old.first { $0.source == candidate.source }?.digest
        let loadedAt = old.first { $0.digest == claim.digest && $0.slot == claim.slot }?.loadedAt ?? now
        kept.append(
          StoredMapping(
            source: candidate.source, app: claim.slot.app, effectiveFrom: claim.slot.effectiveFrom,
            digest: claim.digest, loadedAt: loadedAt, document: claim.document))
        outcome = before == claim.digest ? .unchanged : before == nil ? .added : .changed
      case .duplicate(let other): outcome = .duplicate(of: other)
      case .clash(let other, let inForce): outcome = .clash(with: other, inForce: inForce)
      case .broken(let error): outcome = error.map { .unreadable($0) } ?? .refused
      }
      let source = outcome.isFailure ? candidate.file.source : candidate.source
      entries.append(
        Entry(
          source: source, outcome: outcome, findings: candidate.findings, mapping: candidate.mapping,
          keepsOld: outcome.isFailure && contest.staying.contains { $0.source == source }))
    }
    let stays = Set(kept.map(\.source) + contest.candidates.map(\.source))
    for gone in old where isWhole && !stays.contains(gone.source) {
      entries.append(
        Entry(source: gone.source, outcome: .removed, findings: [], mapping: nil, keepsOld: false))
    }
    return Plan(entries: entries, inForce: kept)
  }

  /// The files that are refused after a load.
  ///
  /// Single files are refused in front of whoever loads them, so only a load of all files adds any.
  private static func refused(
    _ entries: [Entry], before: [RefusedMapping], isWhole: Bool, now: Instant
  ) -> [RefusedMapping] {
    guard isWhole else {
      let taken = Set(entries.filter { !$0.outcome.isFailure }.map(\.source))
      return before.filter { !taken.contains($0.source) }
    }
    return entries.filter(\.outcome.isFailure).map { entry in
      RefusedMapping(
        source: entry.source, state: entry.outcome.word, reason: entry.reason,
        since: before.first { $0.source == entry.source }?.since ?? now, keepsOld: entry.keepsOld)
    }.sorted { $0.source < $1.source }
  }
}

extension MappingLoad.Entry {
  /// Why the file was not taken, in one line; empty where it was.
  public var reason: String {
    switch outcome {
    case .unreadable(let error): return error.reason
    case .clash(let other, let inForce):
      let moment = mapping.map { " of app \($0.app.number) from \($0.effectiveFrom)" } ?? ""
      let rest =
        switch inForce {
        case nil: "neither is in force"
        case other?: "that one stays in force"
        case let stored?: "'\(stored)' as it was stored stays in force"
        }
      return "'\(other)' is another mapping\(moment); \(rest)"
    case .refused:
      return findings.first { $0.severity == .error }.map {
        "\($0.description) at \($0.path)"
      } ?? "it has errors"
    case .added, .changed, .unchanged, .duplicate, .removed: return ""
    }
  }

  /// What to do about a file that was not taken; `nil` where it was.
  public var remedy: String? {
    switch outcome {
    case .unreadable(let error): error.remedy
    case .clash: "remove one of the two files, or give it another effective-from"
    case .refused: "mend the file; `skan mapping check` shows all that is wrong"
    case .added, .changed, .unchanged, .duplicate, .removed: nil
    }
  }
}
