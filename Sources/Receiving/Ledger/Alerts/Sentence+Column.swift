import JSONText
package import Values

extension Sentence {
  /// What a column and the binary form of a change have of it.
  package var column: String { json.text() }

  /// Reads a column; what no program wrote is shown as it is.
  init(column text: String?) {
    let text = text ?? ""
    self = Sentence(json: text) ?? Sentence(name: text)
  }
}

extension Sentence: ChangeField {
  package func write(to bytes: inout ChangeEncoder) { bytes.add(column) }

  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    guard let sentence = Sentence(json: try bytes.next()) else { throw .badValue(of: "sentence") }
    self = sentence
  }
}
