import NetworkForms
import Postbacks
import Values

/// The columns of a partner's export that a file calls otherwise.
package struct ExportColumns: Sendable {
  private var names: [String: String] = [:]
  private var others: Set<String> = []

  package init() {}

  /// Takes the columns that a form renames or leaves out.
  ///
  /// - Throws: ``ImportLayoutDefect`` for the first column that the export does not have, and where two would be read from
  ///   one.
  package init(_ form: ImportForm, for export: PartnerExport) throws(ImportLayoutDefect) {
    let known = export.columns
    for (column, source) in form.sources.ordered(by: { $0.key < $1.key }) {
      guard known.contains(column) else { throw .unknownColumn(column, known: known) }
      others.insert(column)
      guard case .named(let name) = source else { continue }
      guard names.updateValue(column, forKey: name) == nil else { throw .nameUsedTwice(name) }
    }
  }

  /// The file's names that are looked for.
  var wanted: [String] { names.keys.ordered(by: <) }

  /// The export's name of a column of the file; `nil` for one that is not read, because another one is in its place.
  func column(_ name: String) -> String? {
    if let column = names[name] { return column }
    return others.contains(name) ? nil : name
  }
}

extension PartnerExport {
  /// The columns that mean something, for messages: those that a row needs first.
  fileprivate var columns: [String] {
    let members = profile.names.keys.ordered(by: <) + profile.spareNames.keys.ordered(by: <)
    let names = AdNames.Part.allCases.flatMap(\.members)
    var columns: [String] = []
    for name in requiredColumns + timeColumns + members + names where !columns.contains(name) {
      columns.append(name)
    }
    return columns
  }
}
