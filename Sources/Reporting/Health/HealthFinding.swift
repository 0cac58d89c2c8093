package import Values

package struct HealthFinding: Equatable, Sendable {
  package enum Grade: String, Hashable, Sendable {
    case ok = "OK"
    case warn = "WARN"
    case fail = "FAIL"
  }

  /// What was looked at; the raw value is the word in reports.
  package enum Check: String, Hashable, Sendable {
    case keys
    case selfTest = "self-test"
    case database, folder, disk, backup, log, integrity, writing, totals
    case clock, modes, tls
    case loadedMappings = "loaded mappings"
    case mappings
    // Those of the command alone.
    case configuration, libraries, evidence, port, metrics
    case journal, batches, clocks, node
    case domain, skadnetwork, appattribution

    /// What a page calls it.
    package var name: Sentence {
      switch self {
      case .keys: Sentence("keys")
      case .selfTest: Sentence("self-test")
      case .database: Sentence("database")
      case .folder: Sentence("folder")
      case .disk: Sentence("disk")
      case .backup: Sentence("backup")
      case .log: Sentence("log")
      case .integrity: Sentence("integrity")
      case .writing: Sentence("writing")
      case .totals: Sentence("totals")
      case .clock: Sentence("clock")
      case .modes: Sentence("modes")
      case .loadedMappings: Sentence("loaded mappings")
      case .mappings: Sentence("mappings")
      case .tls, .configuration, .libraries, .evidence, .port, .metrics, .journal, .batches, .clocks, .node,
        .domain, .skadnetwork, .appattribution:
        Sentence(name: rawValue)
      }
    }
  }

  package let check: Check
  package let grade: Grade
  /// What was found; it can name files of the machine.
  package let detail: Sentence
  /// What to do; `nil` where there is nothing to do.
  package let cure: Sentence?

  package static func ok(_ check: Check, _ detail: Sentence) -> HealthFinding {
    HealthFinding(check: check, grade: .ok, detail: detail, cure: nil)
  }

  package static func warn(_ check: Check, _ detail: Sentence, cure: Sentence) -> HealthFinding {
    HealthFinding(check: check, grade: .warn, detail: detail, cure: cure)
  }

  package static func fail(_ check: Check, _ detail: Sentence, cure: Sentence?) -> HealthFinding {
    HealthFinding(check: check, grade: .fail, detail: detail, cure: cure)
  }

  package static func fail(_ check: Check, _ obstacle: CommandError) -> HealthFinding {
    fail(check, english: obstacle.message, cure: obstacle.remedy)
  }
}

// Findings that no page shows, or that no page has words for.
extension HealthFinding {
  package static func ok(_ check: Check, english detail: String) -> HealthFinding {
    ok(check, Sentence(name: detail))
  }

  package static func warn(_ check: Check, english detail: String, cure: String) -> HealthFinding {
    warn(check, Sentence(name: detail), cure: Sentence(name: cure))
  }

  package static func fail(_ check: Check, english detail: String, cure: String?) -> HealthFinding {
    fail(check, Sentence(name: detail), cure: cure.map { Sentence(name: $0) })
  }
}
