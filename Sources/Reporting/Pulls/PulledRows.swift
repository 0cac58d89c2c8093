import Arguments
import Imports
import Intake
import JSONText
package import Ledger
import System
package import Tables
package import Values
import Verification

/// What a source answered for some days, read and not stored yet.
package struct PulledRows {
  package let pull: Pull
  package let days: Range<Day>
  package let rows: PullRows
  package let requests: Int
  let secrets: PullSecrets

  /// Asks a source for its rows of days.
  ///
  /// - Parameter now: The moment, after which no postback can have arrived.
  /// - Throws: ``PullError``, with ``PullError/Code/empty`` where there are no rows and the document does not expect that.
  package init(
    _ pull: Pull, of days: Range<Day>, _ secrets: PullSecrets, _ context: PullContext, now: Instant
  ) throws(PullError) {
    (self.pull, self.days) = (pull, days)
    let answer: SpoolFile
    do throws(FileError) { (answer, rows) = (try SpoolFile(), try PullRows()) } catch {
      throw PullError(.unavailable, "the pull '\(pull.name)' cannot begin: \(error)", remedy: error.remedy)
    }
    var conversation = try PullConversation(
      pull, secrets, context, keeping: answer, readingPostbacksAt: pull.postbackPlace(now))
    do throws(PullError) { try conversation.read(days, into: rows) } catch {
      throw conversation.secrets.safe(error)
    }
    requests = conversation.requests
    // With the token that the source gave.
    self.secrets = conversation.secrets
    guard rows.count > 0 || pull.mayBeEmpty else {
      throw PullError(
        .empty, "the pull '\(pull.name)': the source has no rows of \(days.words); nothing is stored",
        remedy: "check the account and the days; set \"may-be-empty\" where that is no mistake")
    }
  }

  /// Prints the rows as they would be stored, some at a time; postbacks as they came, one a line.
  package func print(in format: Format, to write: ([UInt8]) -> Void) throws {
    switch pull.content {
    case .postbacks where rows.isTable:
      let next = try rows.source()
      while let bytes = try next() { write(bytes) }
    case .postbacks:
      let next = try rows.postbacks()
      while let some = try next() { write(Array(some.map { $0.body + [0x0A] }.joined())) }
    case .rows(let kind, let form, _):
      func printTable<Kind: ReferenceImport>(_ kind: Kind.Type) throws {
        let rows = try gathered(kind, form)
        let sheet = Sheet(Kind.Listed.columns, held: [], for: format)
        var renderer = format.renderer(for: sheet.headers)
        write(Array(renderer.begin().utf8))
        try rows.forEachInOrder { some in
          write(Array(renderer.rows(sheet.vectors(of: some), count: some.count).utf8))
        }
        write(Array(renderer.end(Ending()).utf8))
      }
      try printTable(kind.importer)
    }
  }

  /// Stores the rows of a table, once all of them are read.
  ///
  /// - Returns: What that changed; `nil` for postbacks, which ``ingest(into:by:clock:)`` stores.
  /// - Throws: ``PullError`` for rows that the profile does not fit; then nothing has changed. `LedgerError` where not all could
  ///   be stored; the next run stores the rest.
  package func store(in changes: any ChangeWriter, now: Instant) throws -> PullOutcome? {
    guard case .rows(let kind, let form, let replaces) = pull.content else { return nil }
    func store<Kind: ReferenceImport>(_ kind: Kind.Type) throws -> PullOutcome {
      let rows = try gathered(kind, form)
      var outcome = PullOutcome(
        try Kind.store(rows, Kind.Choice(), in: changes, now: now), of: self)
      guard replaces == .days else { return outcome }
      func remove<Row: NetworkDayRow>(_: Row.Type) throws -> Int {
        guard let rows = rows as? GatheredRows<Row> else { return 0 }
        return try Row.removeGone(after: rows, in: days, from: changes)
      }
      if let row = Kind.Listed.Row.self as? any NetworkDayRow.Type { outcome.gone += try remove(row) }
      return outcome
    }
    return try store(kind.importer)
  }

  /// Stores postbacks, each with its verdict.
  ///
  /// - Throws: ``IngestFailure``; what was committed before stays.
  package func ingest(
    into database: String, by intake: PullIntake, clock: @escaping @Sendable () -> Instant
  ) throws -> PullOutcome? {
    guard case .postbacks(let form) = pull.content else { return nil }
    guard rows.count > 0 else { return PullOutcome(IngestSummary(), of: self) }
    guard form.export == nil || rows.isTable else {
      throw PullError(
        .badRows, "the pull '\(pull.name)': the answer is JSON, and an export is a table; nothing is stored",
        remedy: "ask the source for CSV, or leave \"export\" out")
    }
    let ingest = BulkIngest(keyring: intake.keyring, database: database, settings: intake.settings)
    let origin = Origin(.forwarded, name: pull.name)
    do {
      let summary: IngestSummary
      if let export = form.export {
        let times = ArrivalTimes(in: form.timeMember, notAfter: clock() + Day.milliseconds)
        try checkTimes(export, times)
        summary = try ingest.run(
          from: origin, clock: clock, times: times, export: export, next: rows.source(),
          onProgress: { _ in true })
      } else {
        guard !rows.isTable else {
          throw PullError(
            .badRows,
            "the pull '\(pull.name)': the answer is a table, and postbacks are JSON; nothing is stored",
            remedy: "name the partner whose export it is with \"export\"")
        }
        summary = try ingest.run(
          from: origin, clock: clock, dated: rows.postbacks(), onProgress: { _ in true })
      }
      return PullOutcome(summary, of: self)
    } catch let error as IngestFailure {
      let cause = CommandError(error.cause)
      guard !(error.cause is LedgerError) else { throw cause }
      throw CommandError(
        cause.exitCode, "the pull '\(pull.name)': \(secrets.safe(cause.message))", remedy: cause.remedy)
    }
  }
}

extension Pull {
  fileprivate func postbackPlace(_ now: Instant) -> PostbackPlace? {
    guard case .postbacks(let form) = content else { return nil }
    return PostbackPlace(
      member: form.member, times: ArrivalTimes(in: form.timeMember, notAfter: now + Day.milliseconds))
  }
}

extension PulledRows {
  /// Rejects an export before anything of it is stored.
  private func checkTimes(_ export: PartnerExport, _ times: ArrivalTimes) throws {
    do {
      try export.check(times, next: try rows.source())
    } catch let error as PartnerFileError {
      throw secrets.safe(
        PullError(
          .badRows, "the pull '\(pull.name)', \(error.description); nothing is stored",
          remedy: "correct \"received-at-member\", or the form of the times at the source"))
    }
  }

  private func gathered<Kind: ReferenceImport>(
    _: Kind.Type, _ form: ImportForm
  ) throws -> GatheredRows<Kind.Listed.Row> {
    var form = form
    form.asked = days
    let layout: ImportLayout<Kind.Listed.Row>
    do throws(ImportLayoutDefect) { layout = try ImportLayout(form) } catch {
      throw PullError(.badRows, "the pull '\(pull.name)': \(error.sentence)")
    }
    let next = try rows.source()
    var obstacle: FileError?
    let found = Result { () throws(ReferenceFileError) in
      try Kind.rows(
        { () throws(ReferenceFileError) in
          do throws(FileError) { return try next() } catch {
            obstacle = error
            return nil
          }
        }, Kind.Choice(), layout
      ).rows
    }
    if let obstacle { throw obstacle }
    do throws(ReferenceFileError) { return try found.get() } catch {
      let place = rows.isTable ? "line" : "row"
      let isSecret = secrets.texts.areRepeated(in: error.sentence.english.utf8)
      let sentence = isSecret ? "a value cannot be read" : error.sentence.english
      throw secrets.safe(
        PullError(
          .badRows,
          "the pull '\(pull.name)', \(place) \(error.line): \(sentence) [\(error.code)]; nothing is stored",
          remedy: error.isNotAsked
            ? error.cure : "compare the profile with the answer, which --print shows where it can be read"))
    }
  }
}
