import EventFiles
import Imports
import Intake
import Simulation
import System
import Values

extension FuzzTarget {
  /// Events files: the fast reader and the slow one give the same result, wherever chunks end.
  static let events = FuzzTarget(
    "events",
    dictionary: jsonWords + [
      "user", "time", "event", "revenue", "currency", "campaign", "installed", "user,time,event\n", "\n",
      "\r\n",
      "USD", "eur", "XXX", "2026-01-01", "2026-01-01T00:00:00.5Z", "1767225600", "0.000001", "=1",
    ]
  ) { bytes in
    guard let usd = CurrencyCode("USD") else { return }
    let slow = Result { try slowUsers(bytes, usd) }
    let fast = Result { try fastUsers(bytes, usd, chunk: bytes.count + 1) }
    try checkAgreement(fast, slow)
    let pieces = Result { try fastUsers(bytes, usd, chunk: 5) }
    switch (fast, pieces) {
    case (.success(let a), .success(let b)): try law(a == b, "users do not depend on chunks")
    case (.failure(let a), .failure(let b)):
      try law(a as? EventFileError == b as? EventFileError, "mistakes do not depend on chunks: \(a), \(b)")
    default: throw LawBroken("chunks decide whether a file is read")
    }
    var lenient = PopulationReader(currency: usd)
    lenient.mistakes = .skip
    lenient.partitions = 2
    do {
      let population = try lenient.read(source(bytes, chunk: 64))
      try law(population.users <= population.rows, "a user has a row")
      try law(population.rows <= bytes.count, "a row has a byte")
    } catch is EventFileError {
      // A mistake that is not one of a row stops both.
      guard case .failure = fast else { throw LawBroken("only the lenient reader rejects it") }
    }
  }

  /// What the sorts of mistake are that only show once a user's rows are side by side.
  private static let lateCodes: Set<String> = ["event-before-install", "two-installs"]

  private static func checkAgreement(_ fast: Result<[User], any Error>, _ slow: Result<[User], any Error>)
    throws
  {
    switch (fast, slow) {
    case (.success(let fast), .success(let slow)):
      try law(fast == slow, "both readers find the same users")
    case (.failure(let fast as EventFileError), .failure(let slow as EventFileError)):
      guard !lateCodes.contains(fast.code), !lateCodes.contains(slow.code) else { return }
      // Which of several errors of one row is reported may differ, and a row that spans lines has them on several.
      guard fast.code != "not-utf-8", slow.code != "not-utf-8" else { return }
      try law(
        fast.line == slow.line,
        "both readers find the same row wrong: \(fast.line) \(fast.code), \(slow.line) \(slow.code)")
    case (.failure(let error), .success): throw LawBroken("only the fast reader rejects it: \(error)")
    case (.success, .failure(let error)): throw LawBroken("only the slow reader rejects it: \(error)")
    case (.failure(let fast), .failure(let slow)): throw LawBroken("an obstacle: \(fast), \(slow)")
    }
  }

  /// A user in words, so that readers which number things differently can be compared.
  private struct User: Hashable, Comparable {
    let key: UInt64
    let campaign: [UInt8]?
    let events: [[UInt8]]

    static func < (a: User, b: User) -> Bool {
      a.key != b.key ? a.key < b.key : a.events.count < b.events.count
    }
  }

  private static func text(_ seconds: Int64, _ name: String, _ money: Money?) -> [UInt8] {
    // A cohort's moments have 32 bits.
    Array("\(Int32(clamping: seconds)) \(name) \(money.map(\.description) ?? "-")".utf8)
  }

  private static func slowUsers(_ bytes: [UInt8], _ currency: CurrencyCode) throws -> [User] {
    var file = EventFile(currency: currency)
    var events = UserEvents()
    // Line by line: a chunk's rows are lost where the chunk has a mistake.
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
      for row in try file.append(Array(line) + [0x0A]) { try events.add(row) }
    }
    let last = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    for row in try file.append(Array(bytes[last...])) { try events.add(row) }
    for row in try file.finish() { try events.add(row) }
    let users = try events.users()
    let isOneCampaign = users.allSatisfy { $0.campaign == nil }
    return users.map { user in
      User(
        key: Cohort.key(of: user.name),
        campaign: isOneCampaign ? Array("all-users".utf8) : user.campaign.map { Array($0.utf8) },
        events: user.events.map { text($0.secondsSinceInstall, $0.name, $0.revenue) })
    }.sorted()
  }

  private static func fastUsers(_ bytes: [UInt8], _ currency: CurrencyCode, chunk: Int) throws -> [User] {
    var reader = PopulationReader(currency: currency)
    reader.partitions = 3
    // A pass over one block, and one over as many as there are chunks.
    reader.blockSize = chunk
    reader.threads = 1
    var users: [User] = []
    try reader.read(source(bytes, chunk: chunk)).forEachCohort { cohort in
      for user in cohort.users {
        let events = user.events.map { index in
          let event = cohort.events[Int(index)]
          let money =
            event.currency < 0
            ? nil : Money(Amount(micros: event.micros), cohort.names.currencies[Int(event.currency)])
          return text(Int64(event.secondsSinceInstall), cohort.names.events[Int(event.name)], money)
        }
        let campaign = user.campaign < 0 ? nil : Array(cohort.names.campaigns[Int(user.campaign)].utf8)
        users.append(User(key: user.key, campaign: campaign, events: events))
      }
    }
    return users.sorted()
  }

  private static func source(_ bytes: [UInt8], chunk: Int) -> () throws -> [UInt8]? {
    var rest = bytes[...]
    return {
      guard !rest.isEmpty else { return nil }
      defer { rest = rest.dropFirst(chunk) }
      return Array(rest.prefix(chunk))
    }
  }

  /// Files of what advertisers know: reading never traps, and a mistake has a line of the file.
  static let reference = FuzzTarget(
    "reference",
    dictionary: jsonWords + [
      "date", "network", "campaign", "amount", "currency", "app", "from", "to", "name", "ad-set", "creative",
      "country", "quote", "rate", "installs", "redownloads", "postbacks", "conversions-with-value", "revenue",
      "2026-01-01", "USD", "1.0837", "0.000000000001", "9223371", "5239", "\n", ",",
    ]
  ) { bytes in
    let lines = bytes.count { $0 == 0x0A || $0 == UInt8(ascii: ",") } + 2
    func check(_ read: Result<Int, any Error>) throws {
      switch read {
      case .success(let count): try law(count <= lines, "a row has a line or a comma")
      case .failure(let error as ReferenceFileError):
        try law((1...lines).contains(error.line), "a mistake has a line: \(error.line) \(error.sentence)")
        try law(error.sentence.english.utf8.count <= 1_000 + 4 * bytes.count, "a message is bounded")
      case .failure(let error): throw LawBroken("an obstacle: \(error)")
      }
    }
    let spend = Result { try SpendImport.rows(ReferenceFile.source(bytes), .init()).rows.count }
    try check(spend)
    if let draft = try? FileDraft(bytes) {
      let read = Result { try SpendImport.rows(ReferenceFile.source(draft.bytes), .init()).rows.count }
      try law((try? read.get()) == (try? spend.get()), "a file is read alike while it is corrected")
      try law(draft.replacing([:]) == draft.bytes, "a file without corrections stays")
      let texts = draft.lines.prefix(3).map { ($0, draft.text(ofLine: $0) ?? "") }
      let again = draft.replacing(Dictionary(texts, uniquingKeysWith: { first, _ in first }))
      try law(again.count <= draft.bytes.count + 4 * texts.count, "a row is replaced by itself")
    }
    try check(Result { try NameImport.rows(ReferenceFile.source(bytes), .init()).rows.count })
    try check(Result { try RateImport.rows(ReferenceFile.source(bytes), .init()).rows.count })
    try check(Result { try TotalImport.rows(ReferenceFile.source(bytes), .init()).rows.count })
    try check(Result { try InstallImport.rows(ReferenceFile.source(bytes), .init()).rows.count })
  }
}
