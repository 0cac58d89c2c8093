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
    guard !known.isEmpty else {
      return Self(
        name,
        Sentence(
          "found the event '\(name: event)', which no value of a loaded mapping has; load a mapping with `skan mapping load`."
        ).onPages(
          Sentence(
            "found the event '\(name: event)', but there is no mapping yet; publish one on the page Mappings."
          )))
    }
    let names = known.sorted().map { "'\($0)'" }.joined(separator: ", ")
    return Self(
      name,
      Sentence(
        "found the event '\(name: event)', which no value of a loaded mapping has; use one of \(name: names)."
      ))
  }
}
