package import Values

/// How a file has the rows of one kind: where its records are, which column is which, what is the same in all rows, and
/// how amounts and dates are written.
///
/// A layout is checked when it is made, so that every column that it names is one of the kind.
package struct ImportLayout<Kind: FileRow>: Equatable, Sendable {
  package let form: ImportForm

  /// A file that has the columns' own names.
  package static var standard: Self { Self(form: ImportForm()) }

  private init(form: ImportForm) { self.form = form }

  /// Checks a form for a kind of rows.
  ///
  /// - Throws: ``ImportLayoutDefect`` for the first column that the kind does not have or cannot do without, and where two
  ///   columns would be read from one.
  package init(_ form: ImportForm) throws(ImportLayoutDefect) {
    let known = Kind.requiredColumns + Kind.optionalColumns
    var names: Set<String> = []
    for (column, source) in form.sources.sorted(by: { $0.key < $1.key }) {
      guard known.contains(column) else { throw .unknownColumn(column, known: known) }
      switch source {
      case .named(let name): guard names.insert(name).inserted else { throw .nameUsedTwice(name) }
      case .fixed: break
      case .leftOut: guard !Kind.requiredColumns.contains(column) else { throw .requiredColumn(column) }
      }
    }
    self.init(form: form)
  }
}

/// The content of an ``ImportLayout``, for rows of any kind.
package struct ImportForm: Equatable, Sendable {
  /// Where the value of a column is.
  package enum Source: Hashable, Sendable {
    /// In the file's column of that name, or the member of that path.
    case named(String)
    /// The same in every row.
    case fixed(String)
    /// Nowhere.
    case leftOut
  }

  package var records = RecordSource.file
  /// Where columns are; one that is not there has its own name, or is left out with ``hasOnlyNamed``.
  package var sources: [String: Source] = [:]
  /// Whether optional columns are read only where ``sources`` has them.
  package var hasOnlyNamed = false
  /// The members that distinguish records; with none all records count.
  ///
  /// A later record of the same values replaces an earlier one.
  package var key: [String] = []
  /// Values that members must have; other records are passed over.
  package var only: [String: [String]] = [:]
  package var amounts = AmountForm()
  package var days = DayForm()
  /// UTC days that rows may be of, because they were asked for; `nil` for any.
  package var asked: Range<Day>?
  /// Names under which a row can disagree with what is fixed, by column; such a row is a mistake.
  package private(set) var confirmed: [String: String] = [:]
  /// What people call columns, for messages on pages; those of commands have the columns' names.
  package var titles: [String: Sentence] = [:]

  package init() {}

  func source(of column: String, isRequired: Bool) -> Source {
    sources[column] ?? (isRequired || !hasOnlyNamed ? .named(column) : .leftOut)
  }

  func title(of column: String) -> Sentence { titles[column] ?? Sentence(name: column) }

  /// What the column is called, for messages, with its name in the file where that is another one.
  func words(for column: String) -> Sentence {
    guard case .named(let name)? = sources[column], name != column else { return title(of: column) }
    return Sentence("\(title(of: column)) (\(name: name))")
  }
}

/// Where the records of a file are.
package enum RecordSource: Equatable, Sendable {
  /// In a table, or in JSON objects.
  case file
  /// In messages, one a line, of streams of these names.
  ///
  /// A program that stopped early leaves its last day incomplete; `endsWithoutState` is for one that never writes the
  /// state by which that is seen.
  case stream(MessageForm, names: [String], endsWithoutState: Bool)
}

/// The messages in which extractors hand records on.
package enum MessageForm: String, Hashable, Sendable, CaseIterable {
  /// Source: https://github.com/singer-io/getting-started/blob/master/docs/SPEC.md
  case singer
  /// Source: https://docs.airbyte.com/platform/understanding-airbyte/airbyte-protocol
  case airbyte
}

/// How a file writes amounts.
package struct AmountForm: Equatable, Sendable {
  package enum Unit: String, Hashable, Sendable, CaseIterable {
    case units, hundredths, millionths

    var power: Int {
      switch self {
      case .units: 0
      case .hundredths: -2
      case .millionths: -6
      }
    }
  }

  package var unit = Unit.units
  /// Whether decimals beyond a millionth of a unit are rounded; otherwise they are a mistake.
  package var isRounded = false

  package init() {}
}

/// Why a layout cannot be used.
package enum ImportLayoutDefect: Error, Equatable, Sendable {
  /// A part is not of the form `column=name`.
  case notAPair(String)
  case unknownColumn(String, known: [String])
  case namedTwice(String)
  /// Two columns would be read from the same name.
  case nameUsedTwice(String)
  /// A column that rows cannot do without would be left out.
  case requiredColumn(String)

  /// What is wrong, in a sentence without a full stop.
  package var sentence: String {
    switch self {
    case .notAPair(let text): "'\(printable(text))' is not column=name, such as amount=spend"
    case .unknownColumn(let name, let known):
      "there is no column '\(printable(name))'; use \(known.joined(separator: ", "))"
        + (nearest(to: name, among: known).map { "; did you mean \($0)?" } ?? "")
    case .namedTwice(let column): "the column \(column) is given twice"
    case .nameUsedTwice(let name): "two columns would be read from '\(printable(name))'"
    case .requiredColumn(let column): "rows need the column \(column), which cannot be left out"
    }
  }
}

extension ImportForm {
  /// Takes pairs like `amount=spend,campaign=campaign_name` before what is there; `clicks=` leaves a column out.
  ///
  /// - Throws: ``ImportLayoutDefect`` for the first part that is no pair, or a column that is there twice.
  package mutating func rename(_ pairs: String) throws(ImportLayoutDefect) {
    for (column, name) in try Self.pairs(in: pairs) {
      sources[column] = name.isEmpty ? .leftOut : .named(name)
    }
  }

  /// Gives a column the same value in all rows, in the place of what is in the file.
  package mutating func set(_ column: String, to value: String) {
    if case .named(let name)? = sources[column] { confirmed[column] = name }
    sources[column] = .fixed(value)
  }

  /// Rejects rows that disagree with what is fixed: those that name another network, currency or app.
  package mutating func confirmFixed() {
    let columns = ["network", "currency", "app"]
    for column in columns where confirmed[column] == nil {
      // What the profile never reads has its own name, where rows have it at all.
      if case .fixed? = sources[column] { confirmed[column] = column }
    }
    confirmed = confirmed.filter { columns.contains($0.key) }
  }

  /// Takes values like `currency=USD,network=abc.skadnetwork` that are the same in all rows.
  ///
  /// - Throws: As ``rename(_:)``.
  package mutating func fix(_ pairs: String) throws(ImportLayoutDefect) {
    for (column, value) in try Self.pairs(in: pairs) {
      guard !value.isEmpty else { throw .notAPair("\(column)=") }
      sources[column] = .fixed(value)
    }
  }

  private static func pairs(in text: String) throws(ImportLayoutDefect) -> [String: String] {
    var pairs: [String: String] = [:]
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let equals = part.firstIndex(of: "="), equals > part.startIndex else {
        throw .notAPair(String(part))
      }
      let column = String(part[..<equals])
      guard pairs.updateValue(String(part[part.index(after: equals)...]), forKey: column) == nil else {
        throw .namedTwice(column)
      }
    }
    return pairs
  }
}
