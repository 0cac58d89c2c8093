import Arguments
import Campaigns
import EstimateReports
import Estimates
import System
import Tables
import Values

/// Only a command reads files of its user.
private let limitsFile = TypedOption<String?>.value(
  "--limits", "FILE", .path, "File of how many campaigns networks take, before the built-in ones.")

extension Entry {
  init(_ kind: ReportKind<ReportSource>) {
    let isPlan = kind.name == PlanReport.name
    self.init(
      kind, sharing: [.database()] + (isPlan ? [limitsFile.option] : []),
      job: { call in
        let texts = call.settings.givenTexts
        guard isPlan else { return try kind.job(texts) }
        return try ReportKind.job(PlanReport.self, texts) { try call.readLimits(into: &$0.file) }
      }
    ) { call in
      ReportSource(reader: try call.reader(), now: call.world.clock())
    }
  }

  /// Makes the command of a report.
  ///
  /// - Parameters:
  ///   - job: Reads the question; `nil` for one of parameters alone.
  ///   - source: Reads those options.
  init<Source>(
    _ kind: ReportKind<Source>, sharing shared: [Option] = [.database()],
    job: (@Sendable (Invocation) throws -> ReportKind<Source>.Job)? = nil,
    source: @escaping @Sendable (Invocation) throws -> Source
  ) {
    self.init(command: kind.command(sharing: shared), signals: kind.isStreamed ? .heed : .end) { call in
      try call.print(kind, job ?? { try kind.job($0.settings.givenTexts) }, from: source)
    }
  }
}

extension Invocation {
  fileprivate func print<Source>(
    _ kind: ReportKind<Source>, _ job: (Invocation) throws -> ReportKind<Source>.Job,
    from source: (Invocation) throws -> Source
  ) throws -> ExitCode {
    let outcome: ReportKind<Source>.Outcome
    do {
      let job = try job(self)
      var progress = Progress(kind.name, unit: "rows", total: nil, on: console)
      var rows = -1
      outcome = try job(source(self), Delivery(format), { false }) { text in
        console.write(text)
        rows += 1
        progress.advance(to: rows)
        return interruption.isRequested != true && console.output.state == .open
      }
      progress.finish()
    } catch let error as ParameterError {
      throw mistake(error)
    } catch let error as EstimationError {
      throw CommandError(
        .bug, "the estimate failed: \(error.code)", remedy: "report it with the command line")
    }
    guard interruption.isRequested != true else {
      console.output.flush()
      console.problem("interrupted: the rows above are complete", remedy: "--from goes on from a moment")
      return .interrupted
    }
    return outcome.isCheckFailed && self[.exitCode] ? .failedCheck : .done
  }

  fileprivate func readLimits(into limits: inout NetworkLimits) throws {
    guard let path = self[limitsFile] else { return }
    let bytes = try naming("cannot read limits from '\(path)'") {
      try FileReader.contents(of: path, limit: 1 << 20)
    }
    limits = try NetworkLimits.read(bytes, named: path)
  }
}
