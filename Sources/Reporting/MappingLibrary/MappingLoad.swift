package import Ledger
package import Mappings
import Postbacks
package import System
package import Values

/// Takes mapping files into a ledger: what is right replaces what was there, what is broken leaves it in force.
package struct MappingLoad: Sendable {
  package struct File: Sendable {
    /// The name that stands for it in the ledger.
    package let source: String
    /// Its bytes, or why they can't be had.
    package let contents: Result<[UInt8], FileError>

    package init(source: String, contents: Result<[UInt8], FileError>) {
      self.source = source
      self.contents = contents
    }

    /// Reads a file; of one that is too long for a mapping only as much as shows that.
    package init(path: String, source: String) {
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

  package struct LoadedFile: Sendable {
    /// The file's name in the ledger.
    package let source: String
    package let outcome: Outcome
    /// What a check found, also where the file was taken.
    package let findings: [MappingFinding]
    /// The mapping, where the file holds one.
    package let mapping: Mapping?
    /// Whether an older state of the file stays in force.
    package let keepsOld: Bool
  }

  /// What can become of a file.
  package enum Outcome: Sendable {
    case added
    /// It is another than before.
    case changed
    case unchanged
    /// It has the bytes of another file, which counts.
    case duplicate(of: String)
    case removed
    case rejected
    /// It can't be read.
    case unreadable(FileError)
    /// Another file has another mapping of the same app from the same moment; `inForce` names the file whose mapping
    /// holds there, and is `nil` where none does.
    case clash(with: String, inForce: String?)

    package var word: String {
      switch self {
      case .added: "added"
      case .changed: "changed"
      case .unchanged: "unchanged"
      case .duplicate: "duplicate"
      case .removed: "removed"
      case .rejected: "rejected"
      case .unreadable: "unreadable"
      case .clash: "clash"
      }
    }

    /// Whether the file was not taken.
    package var isFailure: Bool {
      switch self {
      case .added, .changed, .unchanged, .duplicate, .removed: false
      case .rejected, .unreadable, .clash: true
      }
    }
  }

  /// What a load would change.
  package struct Plan: Sendable {
    /// What becomes of each file, in the order of the files; removed ones follow.
    package let entries: [LoadedFile]
    package let inForce: [StoredMapping]
  }

  /// Takes files into a ledger, in one transaction.
  ///
  /// What is in force stays in force while its file claims its app and moment: a second file with other content is
  /// rejected, whatever its name. Of several new files that differ none is taken.
  ///
  /// - Parameters:
  ///   - store: Where they go.
  ///   - isWhole: Whether these are all files there are, so that mappings of others are removed, and the ledger keeps
  ///     which ones were rejected. Otherwise a mapping takes the place of the one of the same app from the same moment,
  ///     whatever that one's file was called, and a name that stands for another one gets the app and the moment added.
  /// - Returns: What became of each file, in the order of the files; removed ones follow.
  /// - Throws: ``LedgerError``; then nothing has changed.
  package static func load(_ files: [File], into store: MappingStore, isWhole: Bool, now: Instant)
    throws(LedgerError) -> [LoadedFile]
  {
    for _ in 0..<mostTries {
      let old = try store.mappings()
      let plan = plan(files, over: old, isWhole: isWhole, now: now)
      if try carryOut(plan, over: old, in: store, isWhole: isWhole, now: now) { return plan.entries }
    }
    throw .busy
  }

  /// How often a load starts again because another one was faster.
  package static let mostTries = 20

  /// Does what was planned, in one transaction, unless the ledger has other mappings by now than it was planned over.
  ///
  /// - Parameters:
  ///   - store: Where they go.
  ///   - publication: Who asked for it, to be stored; `nil` where no person did.
  /// - Returns: Whether it was done.
  /// - Throws: ``LedgerError``; then nothing has changed.
  package static func carryOut(
    _ plan: Plan, over old: [StoredMapping], in store: MappingStore, isWhole: Bool, now: Instant,
    publication: MappingPublication? = nil
  ) throws(LedgerError) -> Bool {
    let oldRejected = try store.rejected()
    let rejected = Self.rejected(plan.entries, before: oldRejected, isWhole: isWhole, now: now)
    let before = Set(oldRejected.map { [$0.source, $0.state, $0.reason.column] })
    let isNewlyRejected = rejected.contains { !before.contains([$0.source, $0.state, $0.reason.column]) }
    guard Set(plan.inForce) != Set(old) || rejected != oldRejected || publication != nil else { return true }
    return try store.exchange(
      old, for: plan.inForce, rejected: rejected, rejectedAt: isNewlyRejected ? now : nil,
      publication: publication)
  }

  /// What a load of files over stored mappings would change; the parameters are those of ``load(_:into:isWhole:now:)``.
  package static func plan(
    _ files: [File], over old: [StoredMapping], isWhole: Bool, now: Instant
  ) -> Plan {
    let selection = FileSelection(files.map { Candidate($0) }, over: old, isWhole: isWhole)
    var kept = selection.staying
    var entries: [LoadedFile] = []
    for (candidate, verdict) in zip(selection.candidates, selection.verdicts) {
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
      case .broken(let error): outcome = error.map { .unreadable($0) } ?? .rejected
      }
      let source = outcome.isFailure ? candidate.file.source : candidate.source
      entries.append(
        LoadedFile(
          source: source, outcome: outcome, findings: candidate.findings, mapping: candidate.mapping,
          keepsOld: outcome.isFailure && selection.staying.contains { $0.source == source }))
    }
    let stays = Set(kept.map(\.source) + selection.candidates.map(\.source))
    for gone in old where isWhole && !stays.contains(gone.source) {
      entries.append(
        LoadedFile(source: gone.source, outcome: .removed, findings: [], mapping: nil, keepsOld: false))
    }
    return Plan(entries: entries, inForce: kept)
  }

  /// The files that are rejected after a load.
  ///
  /// Single files are rejected while the caller waits, so only a load of all files adds any.
  private static func rejected(
    _ entries: [LoadedFile], before: [RejectedMapping], isWhole: Bool, now: Instant
  ) -> [RejectedMapping] {
    guard isWhole else {
      let taken = Set(entries.filter { !$0.outcome.isFailure }.map(\.source))
      return before.filter { !taken.contains($0.source) }
    }
    return entries.filter(\.outcome.isFailure).map { entry in
      RejectedMapping(
        source: entry.source, state: entry.outcome.word, reason: entry.reason,
        since: before.first { $0.source == entry.source }?.since ?? now, keepsOld: entry.keepsOld)
    }.ordered { $0.source < $1.source }
  }
}

extension MappingLoad.LoadedFile {
  /// The app of the file's mapping.
  package var appNumber: Int64? { mapping?.app.number }

  /// From when on the file's mapping holds.
  package var effectiveFrom: Instant? { mapping?.effectiveFrom }

  /// Why the file was not taken, in one line; empty where it was.
  package var reason: Sentence {
    switch outcome {
    case .unreadable(let error): return Sentence(name: error.reason)
    case .clash(let other, let inForce):
      let rest =
        switch inForce {
        case nil: Sentence("neither is in use")
        case other?: Sentence("that one stays in use")
        case let stored?: Sentence("the stored version of '\(name: stored)' stays in use")
        }
      guard let mapping else {
        return Sentence("'\(name: other)' conflicts with it as another mapping; \(rest)")
      }
      return Sentence(
        "'\(name: other)' conflicts with it as another mapping of app \(code: mapping.app.number) from \(mapping.effectiveFrom); \(rest)"
      )
    case .rejected:
      guard let error = findings.first(where: { $0.severity == .error }) else {
        return Sentence("it has errors")
      }
      return Sentence(
        "\(code: error.position): error: \(error.sentence) [\(code: error.code.text)] at \(name: "\(error.path)")"
      )
    case .added, .changed, .unchanged, .duplicate, .removed: return Sentence(name: "")
    }
  }

  /// What to do about a file that was not taken; `nil` where it was.
  package var remedy: Sentence? {
    switch outcome {
    case .unreadable(let error): error.cure
    case .clash: Sentence("remove one of the two files, or change its effective-from")
    case .rejected: Sentence("correct the file; `skan mapping check` lists all findings")
    case .added, .changed, .unchanged, .duplicate, .removed: nil
    }
  }
}
