package enum RateImport: ReferenceImport {
  package typealias Listed = RateRows
  package typealias Choice = NoChoice
}
