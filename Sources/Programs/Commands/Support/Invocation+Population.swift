import Arguments
import EventFiles
import Simulation
import System
import Values

private enum EventOptions {
  static let columns = TypedOption<String?>.value(
    "--columns", "NAMES", .text, "Column names, comma-separated: user=install_id,time=ts.")
  static let onError = TypedOption<PopulationReader.Mistakes>.choice(
    "--on-error", "POLICY", "Action for an invalid row.", default: .stop)
  static let duplicates = TypedOption<PopulationReader.Duplicates>.choice(
    "--duplicates", "POLICY", "Action for a duplicate row.", default: .keep)
  static let memory = TypedOption<Int>.value(
    "--memory", "MB", .integer(16...1_000_000),
    "Memory for events in MB; further events go to temporary files.", default: 256)
}

extension Option {
  /// How the rows of an events file are read.
  static let eventRows = [EventOptions.columns.option, EventOptions.onError.option]

  /// How an events file of any size is read.
  static let events = eventRows + [EventOptions.duplicates.option, EventOptions.memory.option]
}

extension Invocation {
  /// The names of the columns of an events file, from `--columns`.
  func columns() throws -> EventColumns {
    guard let text = self[EventOptions.columns] else { return .standard }
    do throws(EventColumns.Defect) { return try EventColumns(text) } catch {
      throw mistake("The value of '--columns' is invalid: \(error.sentence).")
    }
  }

  /// The currency that `--currency` names, in whatever case.
  func currency(_ text: String?) throws -> CurrencyCode? {
    guard let text else { return nil }
    guard let currency = CurrencyCode(anyCase: text) else {
      throw mistake(
        "The value '\(text)' of '--currency' is not an ISO 4217 code.", hint: "Use a code such as USD.")
    }
    return currency
  }

  /// The model that `--threshold` or a scenario names.
  func crowdModel(_ text: String) throws -> CrowdModel {
    do throws(CrowdModelDefect) { return try CrowdModel(text) } catch {
      throw mistake("The value of '--threshold' is invalid: \(error.sentence).")
    }
  }

  /// Reads an events file by the options, and reports what was skipped.
  ///
  /// - Parameters:
  ///   - events: The file's path; `-` is standard input.
  ///   - currency: The currency of amounts that name none; `nil` where each has to.
  /// - Returns: The users; at least one.
  /// - Throws: ``CommandError`` of exit code 65 that names the line where a row is wrong or there is none.
  func population(
    _ events: String, currency: CurrencyCode?, threads: Int = processorCount
  ) throws -> Population {
    var reader = PopulationReader(currency: currency)
    reader.threads = threads
    reader.columns = try columns()
    reader.mistakes = mistakes
    reader.duplicates = self[EventOptions.duplicates]
    reader.budget = self[EventOptions.memory] << 20
    let population = try read(events) { try reader.read($0) }
    if let country = population.unreadCountry {
      console.note(
        "\(Self.name(events)): the country \(country) is neither an ISO 3166 code nor an English name; such "
          + "countries count as unknown, and only --protocol aak uses them")
    }
    return population
  }

  /// The users of an events file by name, in the order of their first rows.
  ///
  /// - Parameters:
  ///   - events: The file's path; `-` is standard input.
  ///   - currency: The currency of amounts that name none.
  /// - Throws: What ``population(_:currency:threads:)`` throws.
  func users(_ events: String, currency: CurrencyCode) throws -> [UserHistory] {
    var reader = PopulationReader(columns: try columns(), currency: currency)
    reader.mistakes = mistakes
    var users: [UserHistory] = []
    _ = try read(events) { try reader.read($0) { users.append($0) } }
    return users
  }

  private static func name(_ events: String) -> String { events == "-" ? "standard input" : events }

  /// Reads a file with its progress, and reports what was not read of it.
  private func read(
    _ events: String, _ reading: (() throws -> [UInt8]?) throws -> Population
  ) throws -> Population {
    let interruption = interruption
    let input = try InputFile(events, on: console, interruption: interruption)
    var progress = Progress("events", unit: "bytes", total: input.size, on: console)
    let name = Self.name(events)
    let population: Population
    do {
      population = try reading {
        progress.advance(to: input.position)
        let bytes = try input.next()
        // Input that ends because of an interruption is not the whole file.
        if interruption.isRequested { throw CommandError.interruptedBeforeWriting }
        return bytes
      }
    } catch let error as EventFileError {
      throw mistake(error, in: name)
    }
    progress.finish()
    guard population.users > 0 else { throw CommandError(.data, "found no event in '\(name)'") }
    note(population.skipped, of: name)
    noteColumns(population.passedOver)
    return population
  }

  /// What to do with wrong rows, from `--on-error`.
  var mistakes: PopulationReader.Mistakes {
    self[EventOptions.onError]
  }

  /// The error of a row that ends the reading.
  func mistake(_ error: EventFileError, in name: String) -> CommandError {
    CommandError(
      .data, "\(name):\(error.line): \(error.sentence) [\(error.code)]",
      remedy: error.isOfFile
        ? error.cure?.english
        : (error.cure.map { "\($0); or " } ?? "") + "skip and count such rows with --on-error skip")
  }

  /// Notes how many rows were left out, by mistake.
  func note(_ skipped: SkippedRows, of name: String) {
    for entry in skipped.entries {
      console.note(
        "\(counted(entry.count, "row")) skipped, first \(name):\(entry.first.line): \(entry.first.sentence) "
          + "[\(entry.first.code)]")
    }
  }

  /// Reports which columns of a table are not read.
  func noteColumns(_ names: [String]) {
    guard !names.isEmpty else { return }
    console.note("ignored columns: \(names.map(printable).joined(separator: ", "))")
  }
}

extension CommandError {
  /// What prevents a command from ending early.
  static let interruptedBeforeWriting = CommandError(
    .interrupted, "interrupted: no file was written",
    remedy: "run the same command again; it starts from the beginning")
}
