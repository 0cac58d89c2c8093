import Ledger
import Mappings
import OpenSSL
import Postbacks
import System
import Values

/// An app and a moment, for which only one mapping can be in force.
struct MappingSlot: Hashable {
  let app: AppID
  let effectiveFrom: Instant
}

extension StoredMapping {
  var slot: MappingSlot { MappingSlot(app: app, effectiveFrom: effectiveFrom) }
}

extension MappingLoad {
  /// A file that was read.
  struct Candidate {
    /// What a sound file asks for.
    struct Claim {
      let slot: MappingSlot
      let digest: String
      let document: [UInt8]
    }

    let file: File
    /// The name that stands for it in the ledger.
    var source: String
    let findings: [MappingFinding]
    /// The mapping, unless anything in the file is an error.
    let mapping: Mapping?
    let claim: Claim?

    init(_ file: File) {
      self.file = file
      source = file.source
      guard case .success(let bytes) = file.contents else {
        (findings, mapping, claim) = ([], nil, nil)
        return
      }
      let reading = MappingDocument.check(bytes)
      findings = reading.findings
      let hasErrors = findings.contains { $0.severity == .error }
      mapping = hasErrors ? nil : reading.document?.mapping
      claim = mapping.map { mapping in
        Claim(
          slot: MappingSlot(app: mapping.app, effectiveFrom: mapping.effectiveFrom),
          digest: SHA256Digest(of: bytes).hex, document: bytes)
      }
    }
  }

  /// Decides which files are in force where several ask for one app and moment.
  ///
  /// The outcome depends on the files and on what is stored, not on the order of the names: what is stored stays
  /// while its file claims it; a file that was renamed goes on under its new name; of several others that differ none
  /// is taken.
  struct FileSelection {
    enum Verdict {
      case takes(Candidate.Claim)
      case duplicate(of: String)
      case clash(with: String, inForce: String?)
      /// The error is that of reading; `nil` where the file itself has errors.
      case broken(FileError?)
    }

    private(set) var candidates: [Candidate]
    private(set) var verdicts: [Verdict] = []
    /// What is stored and stays as it is, because its file lost or is broken, or none may take its place.
    private(set) var staying: [StoredMapping] = []

    init(_ candidates: [Candidate], over old: [StoredMapping], isWhole: Bool) {
      self.candidates = candidates
      if !isWhole { rename(among: old) }
      let slots = Dictionary(
        grouping: self.candidates.indices.filter { self.candidates[$0].claim != nil },
        by: { self.candidates[$0].claim?.slot })
      let stored = Dictionary(old.map { ($0.slot, $0) }, uniquingKeysWith: { first, _ in first })
      // The files that can't change what is stored of them.
      var failed = Set(self.candidates.filter { $0.claim == nil }.map(\.source))
      while true {
        verdicts = self.candidates.map { candidate in
          guard case .failure(let error) = candidate.file.contents else { return .broken(nil) }
          return .broken(error)
        }
        for (slot, claimants) in slots {
          guard let slot else { continue }
          judge(claimants, stored[slot], failed: failed, isWhole: isWhole)
        }
        // Who loses keeps what is stored of it, and so may block others.
        let losers = zip(self.candidates, verdicts).filter { $0.1.isFailure }.map(\.0.source)
        if failed.isSuperset(of: losers) { break }
        failed.formUnion(losers)
      }
      let taken = Set(
        zip(self.candidates, verdicts).compactMap { candidate, verdict in
          if case .takes(let claim) = verdict { claim.slot } else { nil }
        })
      let named = Set(self.candidates.map(\.source))
      staying = old.filter { mapping in
        if taken.contains(mapping.slot) { return false }
        if !isWhole { return true }
        // Of a file that is gone, what is in force stays where several ask for its place and none gets it.
        return named.contains(mapping.source)
          ? failed.contains(mapping.source) : slots[mapping.slot] != nil
      }
    }

    /// Gives single files the names that their mappings have, or can have, in the ledger.
    private mutating func rename(among old: [StoredMapping]) {
      for index in candidates.indices {
        guard let claim = candidates[index].claim else { continue }
        let source = candidates[index].source
        if let same = old.first(where: { $0.slot == claim.slot }) {
          candidates[index].source = same.source
        } else if old.contains(where: { $0.source == source }) {
          candidates[index].source = "\(source) (\(claim.slot.app.number), \(claim.slot.effectiveFrom))"
        }
      }
    }

    /// Decides between the files that ask for one slot.
    private mutating func judge(
      _ claimants: [Int], _ stored: StoredMapping?, failed: Set<String>, isWhole: Bool
    ) {
      let (winner, holder) = outcome(claimants, stored, failed: failed, isWhole: isWhole)
      for index in claimants {
        guard let claim = candidates[index].claim else { continue }
        let first = winner ?? claimants.first { candidates[$0].claim?.digest != claim.digest }
        if index == winner {
          verdicts[index] = .takes(claim)
        } else if let winner, claim.digest == candidates[winner].claim?.digest {
          verdicts[index] = .duplicate(of: name(winner))
        } else if winner == nil, let holder, claim.digest == holder.digest {
          verdicts[index] = .duplicate(of: holder.source)
        } else {
          let inForce = winner.map(name) ?? holder?.source
          let isThere = winner != nil || candidates.contains { $0.file.source == inForce }
          verdicts[index] = .clash(
            with: (isThere ? inForce : first.map(name)) ?? inForce ?? "", inForce: inForce)
        }
      }
    }

    private func name(_ index: Int) -> String { candidates[index].file.source }

    /// Who takes a slot; where none does, what is stored there and stays.
    private func outcome(
      _ claimants: [Int], _ stored: StoredMapping?, failed: Set<String>, isWhole: Bool
    ) -> (winner: Int?, holder: StoredMapping?) {
      let agreed = Set(claimants.map { candidates[$0].claim?.digest }).count == 1 ? claimants.first : nil
      guard isWhole, let stored else { return (agreed, stored) }
      // Its own file, which is edited or as it was.
      if let own = claimants.first(where: { candidates[$0].source == stored.source }) { return (own, nil) }
      if candidates.contains(where: { $0.source == stored.source }) {
        // Its own file is broken or loses elsewhere; or it moves to another moment, and the place is free.
        return failed.contains(stored.source) ? (nil, stored) : (agreed, nil)
      }
      let renamed = claimants.first { candidates[$0].claim?.digest == stored.digest }
      return (renamed ?? agreed, stored)
    }
  }
}

extension MappingLoad.FileSelection.Verdict {
  var isFailure: Bool {
    switch self {
    case .takes, .duplicate: false
    case .clash, .broken: true
    }
  }
}
