import Arguments
import Campaigns
import EstimateReports
import Estimates
import System
import Tables
import Values

/// Only a command reads files of its user; elsewhere the parameter ``PlanReport/limits`` has them.
private let limitsFile = TypedOption<String?>.value(
  "--limits", "FILE", .path, "File of how many campaigns networks take, before the built-in ones.")

extension Entry {
  init(_ kind: ReportKind<ReportSource>) {
    let files = kind.name == PlanReport.name ? [limitsFile.option] : []
    self.init(kind, sharing: [.database()] + files) { call in
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
      let job = try kind.job(texts(of: kind))
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

  /// The given texts, with what a file of limits has before those of its parameter.
  private func texts<Source>(of kind: ReportKind<Source>) throws -> [String: [String]] {
    var texts = settings.givenTexts
    guard kind.name == PlanReport.name, let path = self[limitsFile] else { return texts }
    let bytes = try naming("cannot read limits from '\(path)'") {
      try FileReader.contents(of: path, limit: 1 << 20)
    }
    let given = texts["campaigns"] ?? []
    var read: [String] = []
    for text in try NetworkLimits.read(bytes, named: path).entries.map(\.limit.parameterText) {
      // The last one counts, and none is given twice.
      read.removeAll { $0 == text }
      if !given.contains(text) { read.append(text) }
    }
    texts["campaigns"] = read + given
    return texts
  }
}
