package import Intake

package enum RateImport: ReferenceImport {
  package typealias Listed = RateRows
  package typealias Choice = NoChoice
  package static let profileKind = ImportProfile.Kind.rates
}
