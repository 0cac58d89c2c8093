import Postbacks
import SQLite

/// Reads the body of every stored postback again, and compares the row with it.
///
/// The signature was checked when the body came. The environment follows from the key and not from the body, so it is
/// not compared; ``StoredBody`` examines both. What differs goes into a temporary table, which SQLite keeps in a file where it is large.
struct RowAudit {
  private var names: StoredNames
  private(set) var findings = RowFindings()

  private static let columns = RowDifference.Column.allCases.map(\.rawValue)
  /// Rows between two reports of progress.
  private static let stride = 1000

  /// Reads all bodies, and fills the temporary table `reread` with the columns of rows that differ.
  ///
  /// - Parameters:
  ///   - connection: Takes the temporary table; it need not be able to write the file.
  ///   - didRead: Called now and then with the number of bodies that were read.
  /// - Complexity: Linear in the bytes of the bodies; one body is in memory at a time.
  init(on connection: borrowing LedgerDatabase, didRead: (Int) -> Void) throws(LedgerError) {
    names = try StoredNames(connection)
    try connection.execute(
      "CREATE TEMP TABLE reread(id INTEGER PRIMARY KEY, \(Self.columns.joined(separator: ", ")))")
    let places = Self.columns.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
    let insert = try connection.prepare("INSERT INTO temp.reread VALUES (?1, \(places))")
    let scan = try connection.prepare(
      "SELECT id, body, \(Self.columns.joined(separator: ", ")) FROM main.postback ORDER BY id")
    var read = 0
    try scan.forEachRow { row throws(LedgerError) in
      let id = row.count(0)
      read += 1
      if read % Self.stride == 0 { didRead(read) }
      let body = row.bytes(1)
      // A node that only receives has nothing to compare the row with.
      guard !BodyDigest.isOne(body) else { return }
      let reading = PostbackReading(body)
      guard let postback = reading.postback else { return noteUnreadable(id, reading.outcome) }
      let stored = PostbackColumns(row, from: 2)
      let inBody = PostbackColumns(postback, &names)
      let columns = stored.differences(from: inBody)
      guard !columns.isEmpty else { return }
      note(id, columns, stored, inBody)
      try insert.bind(id)
      try inBody.bind(to: insert, from: 2)
      try insert.run()
    }
  }

  private mutating func noteUnreadable(_ row: Int64, _ outcome: PostbackReading.Outcome) {
    let reason: String
    switch outcome {
    case .postback: return
    case .unverifiable(let why): reason = why.code
    case .invalid(let why): reason = why.code
    case .malformed(let defect): reason = defect.code
    }
    findings.unreadable += 1
    guard findings.unreadableBodies.count < RowFindings.listed else { return }
    findings.unreadableBodies.append(UnreadableBody(row: row, reason: reason))
  }

  private mutating func note(
    _ row: Int64, _ columns: [RowDifference.Column], _ stored: PostbackColumns, _ inBody: PostbackColumns
  ) {
    findings.differing += 1
    for column in columns where findings.differences.count < RowFindings.listed {
      findings.differences.append(
        RowDifference(
          row: row, column: column, stored: stored.text(column, names),
          inBody: inBody.text(column, names)))
    }
  }

  /// Lets the queries of this connection see the rows as their bodies have them.
  func show(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    guard findings.differing > 0 else { return }
    let columns = Self.columns.map { "iif(r.id IS NULL, p.\($0), r.\($0)) AS \($0)" }
    // A temporary name goes before one of the file.
    try connection.execute(
      """
      CREATE TEMP VIEW postback AS
      SELECT p.id, p.fingerprint, p.received_at, p.origin, p.environment, \(columns.joined(separator: ", ")), p.body
      FROM main.postback p LEFT JOIN temp.reread r ON r.id = p.id
      """)
  }

  /// Writes what the bodies have into the rows that differ.
  func mend(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    guard findings.differing > 0 else { return }
    for (table, numbers) in names.tables {
      let add = try connection.prepare("INSERT INTO \(table.rawValue)(id, identifier) VALUES (?1, ?2)")
      for added in numbers.added {
        try add.run(added.number, added.name)
      }
    }
    let columns = Self.columns.map { "\($0) = r.\($0)" }.joined(separator: ", ")
    try connection.execute("UPDATE main.postback SET \(columns) FROM temp.reread r WHERE r.id = postback.id")
  }
}

private struct StoredNames {
  private(set) var tables: [NameTable: NameNumbers] = [:]

  init(_ connection: borrowing LedgerDatabase) throws(LedgerError) {
    for table in NameTable.allCases { tables[table] = try NameNumbers(table, connection) }
  }

  mutating func number(of name: String, in table: NameTable) -> Int64 {
    tables[table]?.number(of: name) ?? 0
  }

  func name(_ number: Int64, in table: NameTable) -> String { tables[table]?.names[number] ?? "\(number)" }
}

private struct NameNumbers {
  private var numbers: [String: Int64] = [:]
  private(set) var names: [Int64: String] = [:]
  /// Names of bodies that the file does not have.
  private(set) var added: [(number: Int64, name: String)] = []

  init(_ table: NameTable, _ connection: borrowing LedgerDatabase) throws(LedgerError) {
    try connection.prepare("SELECT id, identifier FROM \(table.rawValue)").forEachRow { row in
      names[row.count(0)] = row.text(1)
      numbers[row.text(1) ?? ""] = row.count(0)
    }
  }

  mutating func number(of name: String) -> Int64 {
    if let known = numbers[name] { return known }
    let number = (names.keys.max() ?? 0) + 1
    numbers[name] = number
    names[number] = name
    added.append((number, name))
    return number
  }
}

private struct PostbackColumns {
  let facts: FactsRow
  let network: Int64
  let window: Int64
  let publisher: Int64?
  let marketplace: Int64?
  let identifier: String

  init(_ postback: Postback, _ names: inout StoredNames) {
    let attested = postback.attested
    facts = FactsRow(attested: attested, claimed: postback.claimed)
    network = names.number(of: attested.network.canonical, in: .network)
    publisher = attested.publisher.text.map { names.number(of: $0, in: .publisher) }
    marketplace = attested.marketplace.map { names.number(of: $0, in: .marketplace) }
    window = Int64(postback.attested.window.rawValue)
    identifier = postback.attested.id
  }

  /// Takes the columns from `first` on, in the order of their cases.
  init(_ row: borrowing Row, from first: Int32) {
    facts = FactsRow(
      version: row.count(first), app: row.count(first + 2), campaign: row.text(first + 3) ?? "",
      outcome: row.count(first + 5), interaction: row.integer(first + 6), value: row.integer(first + 7),
      country: row.text(first + 8))
    network = row.count(first + 1)
    window = row.count(first + 4)
    publisher = row.integer(first + 9)
    marketplace = row.integer(first + 10)
    identifier = row.text(first + 11) ?? ""
  }

  func bind(to statement: borrowing LedgerStatement, from first: Int32) throws(LedgerError) {
    try statement.bind(facts.version, at: first)
    try statement.bind(network, at: first + 1)
    try statement.bind(facts.app, at: first + 2)
    try statement.bind(facts.campaign, at: first + 3)
    try statement.bind(window, at: first + 4)
    try statement.bind(facts.outcome, at: first + 5)
    try statement.bind(facts.interaction, at: first + 6)
    try statement.bind(facts.value, at: first + 7)
    try statement.bind(facts.country, at: first + 8)
    try statement.bind(publisher, at: first + 9)
    try statement.bind(marketplace, at: first + 10)
    try statement.bind(identifier, at: first + 11)
  }

  func differences(from other: Self) -> [RowDifference.Column] {
    RowDifference.Column.allCases.filter { column in
      switch column {
      case .version: facts.version != other.facts.version
      case .network: network != other.network
      case .app: facts.app != other.facts.app
      case .campaign: !Self.haveSameBytes(facts.campaign, other.facts.campaign)
      case .window: window != other.window
      case .outcome: facts.outcome != other.facts.outcome
      case .interaction: facts.interaction != other.facts.interaction
      case .value: facts.value != other.facts.value
      case .country: !Self.haveSameBytes(facts.country, other.facts.country)
      case .publisher: publisher != other.publisher
      case .marketplace: marketplace != other.marketplace
      case .identifier: !Self.haveSameBytes(identifier, other.identifier)
      }
    }
  }

  /// Swift's own comparison would take equivalent spellings for equal.
  private static func haveSameBytes(_ a: String?, _ b: String?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return a.utf8.elementsEqual(b.utf8)
  }

  func text(_ column: RowDifference.Column, _ names: StoredNames) -> String? {
    switch column {
    case .version: versionWord(facts.version)
    case .network: names.name(network, in: .network)
    case .app: "\(facts.app)"
    case .campaign: facts.campaign
    case .window: "\(window + 1)"
    case .outcome: outcomeWord(facts.outcome)
    case .interaction: facts.interaction.map(interactionWord)
    case .value: facts.value.map { code in ConversionValue(code: code)?.word ?? "\(code)" }
    case .country: facts.country
    case .publisher: publisher.map { names.name($0, in: .publisher) }
    case .marketplace: marketplace.map { names.name($0, in: .marketplace) }
    case .identifier: identifier
    }
  }
}
