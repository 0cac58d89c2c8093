package import Arguments
import Ledger
package import Values

extension ReportingZone: ParameterValue {
  package static var kind: ValueKind {
    .form(Sentence("UTC, an offset such as +05:30, or a name of the IANA database such as Europe/Berlin"))
  }
  package static var placeholder: String { "ZONE" }

  package init?(parameter text: String) { self.init(named: text) }

  package var parameterText: String { name }
}
