import Ledger
import Postbacks
import Values

/// Hands on the rows of a file as their texts, and knows its columns.
struct RowCollection {
  /// What a record has under a name.
  enum Found {
    case nothing
    case empty
    case text(String)
  }

  enum Noun {
    case record, row

    fileprivate var words: Sentence {
      switch self {
      case .record: Sentence("the record")
      case .row: Sentence("the row")
      }
    }

    fileprivate func all(_ count: Int) -> Sentence {
      guard count > 1 else { return words }
      return switch self {
      case .record: Sentence("all \(grouped: count) records")
      case .row: Sentence("all \(grouped: count) rows")
      }
    }
  }

  let form: ImportForm
  let required: [String]
  let optional: [String]
  private let take: (ReferenceFile.Row) -> Void
  /// Rows that a later one of the same key can replace.
  private var held: KeyedRecords?
  /// Whether amounts of the file can have a decimal comma.
  private var hasDecimalCommas = false
  private(set) var count = 0
  private(set) var passedOver = 0
  /// The line of the header, or of the first record.
  var firstLine = 1
  /// The names that a header or the first record has.
  var names: [String] = []
  /// What records are called in messages.
  var noun = Noun.record
  private var present: Set<String> = []
  private var filled: Set<String> = []

  /// - Parameter take: Gets each row; with a key of records only once ``finish()`` is called.
  init(
    form: ImportForm, required: [String], optional: [String],
    _ take: @escaping (ReferenceFile.Row) -> Void
  ) {
    self.form = form
    self.required = required
    self.optional = optional
    self.take = take
  }

  /// Hands on what a later record could have replaced.
  mutating func finish() throws(ReferenceFileError) {
    guard let held = held.take() else { return }
    let columns = required + optional
    var found = 0
    do throws(LedgerError) {
      try held.forEach { line, known in
        var texts: [String: String] = [:]
        for (column, text) in zip(columns, known) { texts[column] = text }
        found += 1
        take(ReferenceFile.Row(line: line, texts: texts, hasDecimalCommas: hasDecimalCommas, form: form))
      }
    } catch {
      throw .temporary(error, line: firstLine)
    }
    count += found
  }

  /// The name in the file of every column that is read from one.
  var namedColumns: [(column: String, name: String)] {
    (required + optional).compactMap { column in
      guard case .named(let name) = source(of: column) else { return nil }
      return (column, name)
    }
  }

  /// Every name of the file that is looked up.
  var lookedUp: [String] {
    namedColumns.map(\.name) + form.key + form.only.keys.sorted() + form.confirmed.values.sorted()
  }

  private func source(of column: String) -> ImportForm.Source {
    form.source(of: column, isRequired: required.contains(column))
  }

  /// Adds a record, which may replace an earlier one or be passed over.
  mutating func add(
    line: Int, hasDecimalCommas: Bool = false,
    _ find: (String) throws(ReferenceFileError) -> Found
  ) throws(ReferenceFileError) {
    for (name, values) in form.only {
      guard case .text(let text) = try find(name) else {
        throw ReferenceFileError(
          code: "missing-filter", line: line,
          sentence: Sentence(
            "\(noun.words) has no '\(name: name)', by which the profile passes over others"),
          cure: "have the source send it, or write a profile without it in \"only\"")
      }
      guard values.contains(where: { $0.lowercased() == text.lowercased() }) else {
        passedOver += 1
        return
      }
    }
    var texts: [String: String] = [:]
    for column in required + optional {
      switch source(of: column) {
      case .leftOut: break
      case .fixed(let value):
        try requireFixed(value, of: column, line: line, find)
        texts[column] = value
      case .named(let name):
        switch try find(name) {
        case .nothing: break
        case .empty: present.insert(column)
        // A campaign can have such a name.
        case .text(let text) where NullText.isOne(text) && !["campaign", "name"].contains(column):
          present.insert(column)
        case .text(let text):
          present.insert(column)
          filled.insert(column)
          texts[column] = text
        }
      }
    }
    guard !form.key.isEmpty else {
      count += 1
      return take(
        ReferenceFile.Row(line: line, texts: texts, hasDecimalCommas: hasDecimalCommas, form: form))
    }
    self.hasDecimalCommas = hasDecimalCommas
    var key: [String] = []
    for name in form.key {
      switch try find(name) {
      case .text(let text): key.append(text)
      case .empty: key.append("")
      case .nothing:
        throw ReferenceFileError(
          code: "missing-key", line: line,
          sentence: Sentence(
            "\(noun.words) has no '\(name: name)', which distinguishes it from others"),
          cure: "have the source send it, or write a profile with another \"key\"")
      }
    }
    let columns = required + optional
    do throws(LedgerError) {
      let known: KeyedRecords
      if let held { known = held } else { known = try KeyedRecords(keys: key.count, texts: columns.count) }
      held = known
      try known.put(columns.map { texts[$0] }, key: key, line: line)
    } catch {
      throw .temporary(error, line: line)
    }
  }

  /// Rejects a record that names another network, currency or app than the one that is fixed for all.
  private func requireFixed(
    _ value: String, of column: String, line: Int, _ find: (String) throws(ReferenceFileError) -> Found
  ) throws(ReferenceFileError) {
    guard let name = form.confirmed[column], case .text(let text)? = try? find(name) else { return }
    // Sources have names of their own for networks, apps and money, which disagree with nothing.
    switch column {
    case "network":
      guard let other = AdNetworkID(text)?.canonical, other != AdNetworkID(value)?.canonical,
        other.hasSuffix(".skadnetwork") || other.hasSuffix(".adattributionkit")
      else { return }
    case "currency":
      guard let other = CurrencyCode(anyCase: text), other != CurrencyCode(anyCase: value) else { return }
    default:
      guard let other = Int64(text), other != Int64(value) else { return }
    }
    throw ReferenceFileError(
      code: "other-\(column)", line: line,
      sentence: Sentence(
        "\(noun.words) is of the \(code: column) '\(name: text)', and all have to be of '\(name: value)'"),
      cure: "ask the source for that \(column) alone, or read the column from the rows")
  }

  /// Rejects a file in which a column that the form names is nowhere, or is empty everywhere: it was renamed, or its
  /// source stopped to fill it.
  func requireNamedColumns() throws(ReferenceFileError) {
    guard count > 0 else { return }
    for (column, name) in namedColumns where !filled.contains(column) {
      // The columns' own names in a file of the user's own: the row has the mistake, or the column is optional.
      guard form.sources[column] != nil || form.hasOnlyNamed else { continue }
      let all = noun.all(count)
      let isThere = present.contains(column)
      throw ReferenceFileError(
        code: isThere ? "empty-column" : "missing-column", line: firstLine,
        sentence: isThere
          ? Sentence("'\(name: name)', which has the \(code: column), is empty in \(all)")
          : Sentence("there is no '\(name: name)', which has the \(code: column), in \(all)"),
        cure: cure(for: column))
    }
  }

  /// The error with a cure, where it is about a column that no row has.
  func curing(_ error: ReferenceFileError) -> ReferenceFileError {
    guard error.cure == nil, error.code.hasPrefix("missing-") else { return error }
    let column = String(error.code.dropFirst("missing-".count))
    guard required.contains(column), !filled.contains(column), case .named = source(of: column) else {
      return error
    }
    return ReferenceFileError(
      code: error.code, line: error.line, sentence: error.sentence, cure: cure(for: column))
  }

  /// How to find or give a column that is not there.
  func cure(for column: String) -> String {
    let taken = Set(namedColumns.map(\.name))
    let free = names.filter { !taken.contains($0) && !$0.isEmpty }
    let guess = ColumnGuess.name(for: KnownColumn.names(of: column), among: free)
    let fixed = KnownColumn.example(of: column).map { ", or --set \(column)=\($0) for all rows" } ?? ""
    let leftOut = required.contains(column) ? "" : "; --columns \(column)= leaves it out"
    if let guess { return "--columns \(column)=\(guess)\(fixed)\(leftOut)" }
    let listed = free.prefix(12).map(printable).joined(separator: ", ")
    let known = free.isEmpty ? "" : "; the file has \(listed)\(free.count > 12 ? " and others" : "")"
    return "--columns \(column)=NAME with the file's own name\(fixed)\(leftOut)\(known)"
  }
}
