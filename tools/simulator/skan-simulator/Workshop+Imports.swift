import Imports
import Intake
import JSONText
import Ledger
import Postbacks
import System
import Values
import Verification

/// What pages and partners do with files, and no command does.
extension Workshop {
  /// Files that are wrong, and how many mistakes pages show of them.
  func readWrongFiles() throws {
    try count(SpendImport.self, SpendImport.Choice(), "many.csv", 19)
    try count(SpendImport.self, SpendImport.Choice(), "thousands.csv", 3)
    try count(SpendImport.self, SpendImport.Choice(), "objects.ndjson", 3)
    try count(NameImport.self, NameImport.Choice(), "names-wrong.csv", 4)
    try count(RateImport.self, RateImport.Choice(), "rates-wrong.csv", 5)
    try count(TotalImport.self, TotalImport.Choice(), "totals-wrong.csv", 4)
    try count(InstallImport.self, InstallImport.Choice(), "installs-wrong.csv", 3)
    try count(ProceedsImport.self, ProceedsImport.Choice(), "proceeds-wrong.csv", 2)
    try note("rates of a file", ReferenceFile.read(RateRow.self, bytes("rates.csv")).count, 2)
    var snap = try BuiltInProfile.singerSnap.profile.form
    try snap.fix("network=n,currency=USD")
    try count(SpendImport.self, SpendImport.Choice(), "wrong.singer", 3, snap)
    try count(SpendImport.self, SpendImport.Choice(), "hollow.singer", 1, snap)
    var lovin = try BuiltInProfile.airbyteAppLovin.profile.form
    try lovin.fix("currency=USD")
    try count(SpendImport.self, SpendImport.Choice(), "unfiltered.airbyte", 1, lovin)
    for (column, value) in [("currency", "USD"), ("network", "other.skadnetwork")] {
      var form = ImportForm()
      form.set(column, to: value)
      form.confirmFixed()
      try count(SpendImport.self, SpendImport.Choice(), "spend.ndjson", 3, form)
    }
    var form = ImportForm()
    try form.rename("date=day.date")
    form.set("app", to: "1176027022")
    form.confirmFixed()
    try count(SpendImport.self, SpendImport.Choice(), "spend.json", 1, form)
    try count(SpendImport.self, SpendImport.Choice(), "spend.ndjson", 1, asked("2026-11-18", "2026-11-19"))
    try count(NameImport.self, NameImport.Choice(), "names.csv", 1, asked("2027-01-01", "2027-01-02"))
    try count(NameImport.self, NameImport.Choice(), "names.csv", 6, asked("2019-01-01", "2019-02-02"))
  }

  private func asked(_ from: String, _ to: String) -> ImportForm {
    var form = ImportForm()
    if let from = Day(from), let to = Day(to) { form.asked = from..<to }
    return form
  }

  private func count<Kind: ReferenceImport>(
    _: Kind.Type, _ choice: Kind.Choice, _ name: String, _ expected: Int, _ form: ImportForm = ImportForm()
  ) throws {
    let reader = try LedgerReader(path: path)
    let mistakes = try Kind.preview(bytes(name), form, choice, reader).mistakes
    let words = mistakes.map { "\($0.line) \($0.code)" }.joined(separator: ", ")
    note("mistakes of \(name)", mistakes.count, expected, words)
  }

  /// Corrects a file as the page "Data in" does, and stores it.
  func correctFiles() throws {
    try correct(SpendImport.self, SpendImport.Choice(), "page.csv", stored: 3)
    try correct(SpendImport.self, SpendImport.Choice(), "page.json", stored: 2)
    try correct(RateImport.self, RateImport.Choice(), "page.ndjson", stored: 1)
    let events = try FileDraft(bytes("events.csv"))
    var choice = UserImport.Choice()
    choice.app = AppID(525_463_029)
    choice.horizon = [7, 30]
    let form = try FileReading(of: events, UserImport.fileColumns).form(of: events, UserImport.fileColumns)
    let shown = UserImport.firstRows(3, of: events, form).count
    let preview = try UserImport.preview(events.bytes, form, choice, LedgerReader(path: path))
    note("users on a page", shown + preview.mistakes.count, 3)
    let stored = try UserImport.store(
      events.bytes, form, choice, in: LedgerFile(path: path), now: terminal.node.clock())
    note("users stored by a page", stored.added, preview.outcome.added)
  }

  private func correct<Kind: ReferenceImport>(
    _: Kind.Type, _ choice: Kind.Choice, _ name: String, stored expected: Int
  ) throws {
    var draft = try FileDraft(bytes(name))
    var reading = FileReading(of: draft, Kind.fileColumns)
    for column in reading.open(Kind.fileColumns) where column.name == "currency" {
      reading.fixed[column.name] = "EUR"
    }
    func preview(_ draft: FileDraft) throws -> ImportPreview {
      let form = try reading.form(of: draft, Kind.fileColumns)
      return try Kind.preview(draft.bytes, form, choice, LedgerReader(path: path))
    }
    // One wrong row is corrected, and the others are left out.
    let corrected = try preview(draft).mistakes.compactMap { mistake in
      draft.text(ofLine: mistake.line).map { (mistake.line, $0.replacing("much", with: "5")) }
    }
    draft = try FileDraft(draft.replacing(Dictionary(corrected, uniquingKeysWith: { first, _ in first })))
    let left = try preview(draft).mistakes.map { ($0.line, "") }
    note("mistakes left in \(name)", left.count, corrected.count - 1)
    draft = try FileDraft(draft.replacing(Dictionary(left, uniquingKeysWith: { first, _ in first })))
    let form = try reading.form(of: draft, Kind.fileColumns)
    note("rows on a page of \(name)", Kind.firstRows(2, of: draft, form).count, min(2, expected))
    note("names of \(name)", draft.renamed { "n\($0)" }.map { $0.starts(with: "n0".utf8) ? 1 : 2 } ?? 1, 1)
    let outcome = try Kind.store(
      draft.bytes, form, choice, in: LedgerFile(path: path), now: terminal.node.clock())
    note("rows of \(name)", outcome.added + outcome.changed + outcome.same, expected)
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    try FileReader.contents(of: "\(folder)/\(name)", limit: 1 << 22)
  }

  /// Imports exports of partners whose postbacks are signed.
  func ingestSigned(_ bodies: inout Bodies, _ keyring: Keyring) throws {
    for export: PartnerExport in [.adjust, .singular, .branch] {
      var lines: [UInt8] = []
      for _ in 0..<3 {
        let body = try bodies.new()
        var row: [JSONOutput.Member] = [.init(export.timeColumns[0], .string("2026-11-21 10:00:00"))]
        switch export {
        case .adjust: row.append(.init("sk_payload", .string(String(decoding: body, as: UTF8.self))))
        case .singular:
          row.append(.init("skan_postback", .string(String(decoding: Base64.encode(body), as: UTF8.self))))
        default:
          row +=
            try JSONReader.read(body).value.object?.members.map { member in
              .init("body_" + member.name.replacing("-", with: "_"), JSONOutput(member.value.value))
            } ?? []
        }
        lines += JSONOutput.object(row).bytes() + [0x0A]
      }
      var rest = [lines][...]
      let summary = try BulkIngest(keyring: keyring, database: path, threads: 2).run(
        from: Origin(.file), clock: terminal.node.clock, export: export, next: { rest.popFirst() },
        onProgress: { _ in true })
      note("signed rows of \(export.rawValue)", summary.first - summary.claimed, 3)
    }
  }

  /// Takes in an array behind a byte order mark, and postbacks whose moments are known otherwise.
  func takeOthers(_ bodies: inout Bodies, _ keyring: Keyring) throws {
    let array = try [bodies.new(), bodies.new()].joined(separator: Array(", ".utf8))
    var whole = [Array("\u{FEFF}\n[".utf8) + array + Array("]\n".utf8)][...]
    let marked = try BulkIngest(keyring: keyring, database: path, threads: 2).run(
      from: Origin(.file), clock: terminal.node.clock, next: { whole.popFirst() }, onProgress: { _ in true })
    note("postbacks of an array", marked.first, 2)
    let dated = try [bodies.new(), bodies.new(), bodies.malformed()].map {
      DatedPostback($0, receivedAt: Day("2026-11-21")?.start)
    }
    var rest = [dated][...]
    let summary = try BulkIngest(keyring: keyring, database: path, threads: 2).run(
      from: Origin(.file), clock: terminal.node.clock, dated: { rest.popFirst() }, onProgress: { _ in true })
    note("dated postbacks", summary.first, 2)
    var file = [try bytes("adjust.csv")][...]
    try PartnerExport.adjust.check(ArrivalTimes()) { file.popFirst() }
  }
}
