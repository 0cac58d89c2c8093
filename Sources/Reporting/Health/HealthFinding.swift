package import Values

package struct HealthFinding: Equatable, Sendable {
  package enum Grade: String, Hashable, Sendable {
    case ok = "OK"
    case warn = "WARN"
    case fail = "FAIL"
  }

  package let check: String
  package let grade: Grade
  /// What was found; it can name files of the machine.
  package let detail: String
  /// What to do; `nil` where there is nothing to do.
  package let cure: String?

  package static func ok(_ check: String, _ detail: String) -> HealthFinding {
    HealthFinding(check: check, grade: .ok, detail: detail, cure: nil)
  }

  package static func warn(_ check: String, _ detail: String, cure: String) -> HealthFinding {
    HealthFinding(check: check, grade: .warn, detail: detail, cure: cure)
  }

  package static func fail(_ check: String, _ detail: String, cure: String?) -> HealthFinding {
    HealthFinding(check: check, grade: .fail, detail: detail, cure: cure)
  }

  package static func fail(_ check: String, _ obstacle: CommandError) -> HealthFinding {
    fail(check, obstacle.message, cure: obstacle.remedy)
  }
}
