package import Arguments
package import MappingLibrary
import Mappings
import Values

extension MappingCatalog {
  package var eventNames: Set<String> {
    histories.values.reduce(into: Set<String>()) { names, history in
      for mapping in history.versions { names.formUnion(mapping.eventNames) }
    }
  }
}

extension ParameterError {
  /// An event that no loaded mapping knows: its estimate would be a sure nothing.
  package static func unknownEvent(_ event: String, of name: String, known: Set<String>) -> Self {
    let found = "found the event '\(printable(event))', which no value of a loaded mapping has"
    guard !known.isEmpty else { return Self(name, "\(found); load a mapping with `skan mapping load`.") }
    let names = known.sorted().map { "'\(printable($0))'" }.joined(separator: ", ")
    return Self(name, "\(found); use one of \(names).")
  }
}
