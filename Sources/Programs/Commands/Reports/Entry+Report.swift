import Arguments
import Campaigns
import Estimates
import System
import Tables
import Values

extension Entry {
  init(_ kind: ReportKind<ReportSource>) {
    self.init(kind) { call in
      ReportSource(reader: try call.reader(), now: call.world.clock())
    }
  }

  /// Makes the command of a report.
  ///
  /// - Parameters:
  ///   - source: Reads those options.
  init<Source>(
    _ kind: ReportKind<Source>, sharing shared: [Option] = [.database()],
    source: @escaping @Sendable (Invocation) throws -> Source
  ) {
    self.init(command: kind.command(sharing: shared), signals: kind.isStreamed ? .heed : .end) { call in
      try call.print(kind, from: source)
    }
  }
}

extension Invocation {
  fileprivate func print<Source>(
    _ kind: ReportKind<Source>, from source: (Invocation) throws -> Source
  ) throws -> ExitCode {
    let outcome: ReportKind<Source>.Outcome
    do {
      let job = try kind.job(settings.givenTexts)
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
}
