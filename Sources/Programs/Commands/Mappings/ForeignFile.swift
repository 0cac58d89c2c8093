import Arguments
import JSONText
import MappingFormats
import Mappings
import Postbacks
import System
import Values

/// A file of another system's format, with the options of the command line.
struct ForeignFile {
  let path: String
  let format: MappingFormat
  let call: Invocation
  private let app: AppID?
  private let currency: CurrencyCode?
  private let date: Instant?

  /// Takes the options of ``MappingConvertCommand`` that the command line has.
  ///
  /// - Parameter usualDate: The time from which devices use the mapping where no option states it.
  /// - Throws: `UsageError` for a currency that is none.
  init(
    _ path: String, _ format: MappingFormat, _ call: Invocation, usualDate: Instant? = nil
  ) throws {
    self.path = path
    self.format = format
    self.call = call
    app = call[MappingConvertCommand.Options.app].flatMap { AppID(Int64($0)) }
    date = call[MappingConvertCommand.Options.effectiveFrom] ?? usualDate
    let code = call[MappingConvertCommand.Options.currency]
    currency = code.flatMap { CurrencyCode(anyCase: $0) }
    if let code, currency == nil {
      throw call.mistake("The value '\(code)' of '--currency' is not an ISO 4217 code.")
    }
  }

  /// Makes a mapping of the file, with every loss and assumption.
  func read() throws -> (Mapping, [LossRow]) {
    let console = call.console
    if path == "-", console.isInputTerminal { console.note("reading standard input; Ctrl-D ends it") }
    let bytes = try FileReader.contents(of: path, limit: MappingDocument.largestFile)
    var missing: [String] = []
    let imported: ImportedMapping
    var rows: [LossRow] = []
    do throws(FormatDefect) {
      let file = try ForeignMapping(bytes, format)
      missing = missingOptions(file)
      imported = try file.mapping(context(file))
      if let own = file.currency, currency == nil, !format.namesItsCurrency {
        rows.append(LossRow(currency: own, file: path))
      }
    } catch {
      throw CommandError(
        .data, "\(path == "-" ? "standard input" : path): \(error.place): \(error.sentence) [\(error.code)]",
        remedy: remedy(for: bytes))
    }
    // Only now, because a file of another format needs no options.
    guard missing.isEmpty else {
      throw call.mistake(
        "The \(format.rawValue) file lacks what these options supply: \(missing.joined(separator: ", ")).",
        hint: "Give \(missing.count == 1 ? "it" : "them").")
    }
    if let currency, imported.mapping.currency != currency {
      rows.append(LossRow(unused: "--currency", "the file is in \(imported.mapping.currency)", file: path))
    }
    if let date, imported.mapping.effectiveFrom != date {
      rows.append(
        LossRow(
          unused: "--effective-from", "the file is in effect from \(imported.mapping.effectiveFrom)",
          file: path))
    }
    return (imported.mapping, rows + imported.remarks.map { LossRow($0, file: path) })
  }

  /// How to have a file read that the format does not read; `nil` where no other one does.
  private func remedy(for bytes: [UInt8]) -> String? {
    let isConverted = call.settings.isGiven(MappingConvertCommand.Options.from.option)
    if MappingDocument.read(bytes).document != nil {
      return isConverted ? "use --from skan, or `skan mapping check`" : "use `skan mapping check`"
    }
    return ForeignMapping.formats(of: bytes).first.map { format in
      isConverted
        ? "use --from \(format.rawValue), which reads it"
        : "use `skan mapping convert --from \(format.rawValue)`, which reads it"
    }
  }

  private func missingOptions(_ file: ForeignMapping) -> [String] {
    var options: [String] = []
    if app == nil, file.app == nil { options.append("--app") }
    if currency == nil, file.currency == nil { options.append("--currency") }
    if date == nil, !file.hasDate { options.append("--effective-from") }
    return options
  }

  /// What the command line and the file contain, and a placeholder for what neither does.
  private func context(_ file: ForeignMapping) -> ImportContext {
    guard let anyApp = AppID(0), let anyCurrency = CurrencyCode.all.first else {
      preconditionFailure("0 is an app and there are currencies")
    }
    let name = path == "-" ? format.rawValue : path.split(separator: "/").last.map(String.init)
    return ImportContext(
      name: call[MappingConvertCommand.Options.name] ?? name ?? format.rawValue,
      app: app ?? file.app ?? anyApp,
      currency: currency ?? file.currency ?? anyCurrency, effectiveFrom: date ?? Instant(seconds: 0),
      device: call[MappingConvertCommand.Options.protocol] ?? .skan4,
      ends: call[MappingConvertCommand.Options.ends])
  }
}

extension MappingFormat {
  /// Whether the currency that a file names first is the one of all that name none.
  fileprivate var namesItsCurrency: Bool {
    switch self {
    case .meta, .metaAggregated, .airbridge, .airbridgeBits: true
    default: false
    }
  }
}

extension CommandError {
  /// Why a mapping can't be written in a format.
  init(_ defect: ExportDefect, _ path: String) {
    let places = defect.places.isEmpty ? "" : ": " + PlaceList(defect.places).text
    let remedy: String? =
      switch defect.code {
      case .openTop: "set an upper end with --cap AMOUNT"
      case .tooManyRules: "use a mapping with fewer rules for this format"
      case .totalRevenue: "name the event that carries the revenue with --revenue-event NAME"
      case .notInTable: "use `skan mapping show --format json`, which prints every mapping"
      case .nothingLeft: nil
      }
    self.init(
      .data,
      "\(path == "-" ? "standard input" : path): \(defect.sentence)\(places) [\(defect.code.rawValue)]",
      remedy: remedy)
  }
}
