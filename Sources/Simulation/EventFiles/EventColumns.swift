package import Values

/// The columns of an events file; all others are passed over.
package enum EventColumn: String, Hashable, Sendable, CaseIterable {
  case user, time, event, revenue, currency, campaign, installed
  case conversionTag = "conversion-tag"
  case sourceApp = "source_app"
  case country

  /// The columns that no file can do without.
  package static let required: [EventColumn] = [.user, .time, .event]

  /// What people call it.
  package var title: Sentence {
    switch self {
    case .user: Sentence("user")
    case .time: Sentence("time")
    case .event: Sentence("event")
    case .revenue: Sentence("revenue")
    case .currency: Sentence("currency")
    case .campaign: Sentence("campaign")
    case .installed: Sentence("first launch")
    case .conversionTag: Sentence("conversion tag")
    case .sourceApp: Sentence("app that showed the ad")
    case .country: Sentence("country")
    }
  }
}

/// What the columns are called in a file; each has its own name unless it is given another.
package struct EventColumns: Equatable, Sendable {
  /// Why names cannot be used.
  package enum Defect: Error, Hashable, Sendable {
    /// A part is not of the form `column=name`.
    case notAPair(String)
    /// There is no column of that name to be renamed.
    case unknownColumn(String)
    case renamedTwice(EventColumn)
    /// Two columns would be read from the same name.
    case nameUsedTwice(String)

    package var code: String {
      switch self {
      case .notAPair: "not-a-pair"
      case .unknownColumn: "unknown-column"
      case .renamedTwice: "renamed-twice"
      case .nameUsedTwice: "name-used-twice"
      }
    }

    /// What is wrong, in a sentence without a full stop.
    package var sentence: String {
      switch self {
      case .notAPair(let text): "'\(text)' is not column=name, such as user=install_id"
      case .unknownColumn(let name):
        "there is no column '\(name)'; use \(Self.list(EventColumn.allCases.map(\.rawValue)))"
      case .renamedTwice(let column): "the column \(column.rawValue) is renamed twice"
      case .nameUsedTwice(let name): "two columns would be read from '\(name)'"
      }
    }

    private static func list(_ names: [String]) -> String {
      names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }
  }

  /// The columns with a name of the file's own.
  package let renamed: [EventColumn: String]
  /// Columns that are not read, whatever their cells are.
  package var unread: Set<EventColumn> = []

  /// Every column has its own name.
  package static let standard = EventColumns()

  private init() { renamed = [:] }

  /// Gives columns other names.
  ///
  /// - Throws: ``Defect`` where two columns would have the same name.
  package init(renamed: [EventColumn: String]) throws(Defect) {
    self.renamed = renamed
    var seen: Set<String> = []
    for column in EventColumn.allCases where !seen.insert(name(of: column)).inserted {
      throw .nameUsedTwice(name(of: column))
    }
  }

  /// Reads pairs like `user=install_id,time=ts`.
  ///
  /// - Throws: ``Defect`` for the first pair that is wrong.
  package init(_ text: String) throws(Defect) {
    var renamed: [EventColumn: String] = [:]
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let equals = part.firstIndex(of: "="), part.index(after: equals) < part.endIndex else {
        throw .notAPair(String(part))
      }
      guard let column = EventColumn(rawValue: String(part[..<equals])) else {
        throw .unknownColumn(String(part[..<equals]))
      }
      guard renamed.updateValue(String(part[part.index(after: equals)...]), forKey: column) == nil else {
        throw .renamedTwice(column)
      }
    }
    try self.init(renamed: renamed)
  }

  /// What a column is called in the file.
  package func name(of column: EventColumn) -> String {
    // No file has a column of that name.
    unread.contains(column) ? "\0\(column.rawValue)" : renamed[column] ?? column.rawValue
  }
}
