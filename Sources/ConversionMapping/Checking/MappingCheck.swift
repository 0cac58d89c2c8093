import Postbacks

/// Looks in a mapping for what people regret later.
struct MappingCheck {
  let document: MappingDocument
  var log: FindingLog

  init(_ document: MappingDocument, log: FindingLog) {
    self.document = document
    self.log = log
  }

  var mapping: Mapping { document.mapping }

  mutating func run() {}
}
