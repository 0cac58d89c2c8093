import Ledger
import MappingLibrary
import Mappings
import System
package import Values

/// The checks that look at the folder of mapping files.
package struct MappingChecks {
  /// What they come to, in order of the files' names.
  package let findings: [HealthFinding]

  /// Checks each file by itself, and against what is loaded.
  ///
  /// - Parameters:
  ///   - path: The folder; `nil` where there is none.
  ///   - database: The database with loaded mappings; `nil` where none is configured.
  package init(_ path: String?, database: String?, now: Instant) {
    guard let path else {
      findings = []
      return
    }
    do {
      let folder = try Folder(path)
      let files = try folder.files(endingWith: ".json").map {
        MappingLoad.File(path: "\(folder.path)/\($0.name)", source: $0.name)
      }
      // What is in force decides who is right where two files clash.
      let stored = database.flatMap { try? LedgerReader(path: $0).mappings() } ?? []
      let plan = MappingLoad.plan(files, over: stored, isWhole: true, now: now)
      findings = Self.findings(plan.entries, in: folder.path, count: files.count)
    } catch {
      findings = [.fail(.mappings, CommandError(error))]
    }
  }

  private static func findings(_ entries: [MappingLoad.LoadedFile], in folder: String, count: Int)
    -> [HealthFinding]
  {
    let broken = entries.filter(\.outcome.isFailure).map { entry in
      let file = "\(folder)/\(entry.source)"
      let error = entry.findings.first { $0.severity == .error }
      let place = error.map { "'\(printable(file)):\($0.position)'" } ?? "'\(printable(file))'"
      let reason =
        error.map { Sentence("\($0.sentence) [\(code: $0.code.text)]") }
        ?? entry.reason
      let detail = Sentence("\(name: place): \(reason)")
      let cure: Sentence? =
        if case .rejected = entry.outcome {
          Sentence("correct the file; `skan mapping check '\(name: file)'` lists all findings")
        } else {
          entry.remedy
        }
      let old = entry.keepsOld ? [Sentence("the last valid version stays in use")] : []
      return HealthFinding.fail(.mappings, .joined([detail] + old, by: "; "), cure: cure)
    }
    guard broken.isEmpty else { return broken }
    let waiting = entries.count(where: { entry in
      switch entry.outcome {
      case .added, .changed, .removed: true
      default: false
      }
    })
    let warnings = entries.count(where: { !$0.findings.isEmpty })
    var details = [
      count > 0
        ? Sentence("'\(name: folder)' has \(count, "mapping file"), all valid")
        : Sentence("'\(name: folder)' has \(count, "mapping file")")
    ]
    if waiting > 0 { details.append(Sentence("\(waiting) to be loaded or removed by the service")) }
    if warnings > 0 {
      details.append(Sentence("\(warnings) with warnings, listed by `skan mapping check`"))
    }
    return [.ok(.mappings, .joined(details, by: "; "))]
  }
}
