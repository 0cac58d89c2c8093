package import Intake
package import Values

/// How a person has a file read: which of its columns is which, what is the same in all rows, and how days and amounts are
/// written.
package struct FileReading: Equatable, Sendable {
  /// The profile that it began with; `nil` for a table of the advertiser's own.
  package let profile: BuiltInProfile?
  /// The column that each column of the file is, by its place; those that are left out are not there.
  package var columns: [Int: String]
  /// Values that are the same in all rows, by column.
  package var fixed: [String: String]
  /// How days are written; `nil` for `2026-11-21`, or as the profile has it.
  package var days: SpreadsheetForm?
  package var amounts: AmountForm.Unit
  /// What the profile has besides.
  private let base: ImportForm

  /// Why a file cannot be read as it was chosen.
  package enum Gap: Error, Equatable, Sendable {
    /// Nothing has columns that rows need.
    case missing([FileColumn])
    /// Two columns of the file would be the same one.
    case chosenTwice(FileColumn)
    /// The file has two columns of this name.
    case sameName(String)
  }

  /// Guesses by the names of a file's columns, and by its first days.
  package init(of file: FileDraft, _ known: [FileColumn]) {
    var columns: [Int: String] = [:]
    var named: Set<String> = []
    func take(_ column: FileColumn, _ fits: (Int) -> Bool) {
      guard !named.contains(column.name),
        let place = file.names.indices.first(where: { columns[$0] == nil && fits($0) })
      else { return }
      columns[place] = column.name
      named.insert(column.name)
    }
    for column in known { take(column) { Self.plain(file.names[$0]) == Self.plain(column.name) } }
    for column in known {
      for word in column.otherNames {
        // A column that is empty has nothing of what its name promises.
        take(column) { place in
          Self.plain(file.names[place]) == Self.plain(word)
            && file.first.contains { !$0.texts[place].isEmpty }
        }
      }
    }
    (profile, base) = (nil, ImportForm())
    (self.columns, fixed, amounts) = (columns, [:], .units)
    days = nil
    days = daysGuess(file, known)
  }

  /// Begins with what a profile has; a column of it that the file lacks has to be chosen.
  package init(_ profile: BuiltInProfile, of file: FileDraft) throws {
    let form = try profile.profile.form
    var columns: [Int: String] = [:]
    var fixed: [String: String] = [:]
    for (column, source) in form.sources {
      switch source {
      case .named(let name):
        let place = file.names.firstIndex { Self.plain($0) == Self.plain(name) }
        if let place { columns[place] = column }
      case .fixed(let value): fixed[column] = value
      case .leftOut: break
      }
    }
    (self.profile, base) = (profile, form)
    (self.columns, self.fixed, amounts) = (columns, fixed, form.amounts.unit)
    days = nil
  }

  /// The columns that one value can be given for, because the file has none.
  package func open(_ known: [FileColumn]) -> [FileColumn] {
    known.filter { $0.isRequired && $0.isOftenTheSame && !columns.values.contains($0.name) }
  }

  /// What the file is read by.
  ///
  /// - Throws: ``Gap`` for what has to be chosen first.
  package func form(of file: FileDraft, _ known: [FileColumn]) throws(Gap) -> ImportForm {
    var form = base
    (form.sources, form.hasOnlyNamed) = ([:], false)
    form.titles = Dictionary(known.map { ($0.name, $0.title) }, uniquingKeysWith: { first, _ in first })
    form.amounts.unit = amounts
    if let days { form.days.format = try? TimeFormat(days.rawValue) }
    var missing: [FileColumn] = []
    var names: Set<String> = []
    for column in known {
      let places = columns.filter { $0.value == column.name }.map(\.key).sorted()
      guard places.count < 2 else { throw .chosenTwice(column) }
      if let name = places.first.map({ file.names[$0] }) {
        guard names.insert(name).inserted, file.names.count(where: { $0 == name }) == 1 else {
          throw .sameName(name)
        }
        // A column of its own name may be empty in all rows.
        if name != column.name { form.sources[column.name] = .named(name) }
      } else if let value = fixed[column.name], column.isOftenTheSame {
        form.sources[column.name] = .fixed(value)
      } else if column.isRequired {
        missing.append(column)
      } else {
        form.sources[column.name] = .leftOut
      }
    }
    guard missing.isEmpty else { throw .missing(missing) }
    return form
  }

  /// The only form in which all of the first days are written; days with points begin with the day.
  private func daysGuess(_ file: FileDraft, _ known: [FileColumn]) -> SpreadsheetForm? {
    let days = Set(known.filter { $0.content == .day }.map(\.name))
    guard let place = columns.filter({ days.contains($0.value) }).keys.min() else { return nil }
    let texts = file.first.map { $0.texts[place] }.filter { !$0.isEmpty }
    guard let example = texts.first, Day(example) == nil, TimeFormat.Reading(timestamp: example) == nil else {
      return nil
    }
    let forms = texts.reduce(into: Set(SpreadsheetForm.allCases)) { forms, text in
      let fits = Set(SpreadsheetForm.readings(of: text).map(\.form))
      // A row that fits none is a slip of its own.
      if !fits.isEmpty { forms.formIntersection(fits) }
    }
    guard forms.count > 1 else { return forms.first }
    return forms.contains(.dayFirst) && example.contains(".") ? .dayFirst : nil
  }

  /// A name without what systems and people change in it, such as a currency behind it in brackets.
  private static func plain(_ name: String) -> String {
    name.prefix { $0 != "(" }.lowercased().filter { !" -_.".contains($0) }
  }
}
