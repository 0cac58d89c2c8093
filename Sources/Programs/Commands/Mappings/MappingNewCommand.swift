import Arguments
import JSONText
import MappingEditing
import Mappings
import Postbacks
import System
import Values

/// `skan mapping new`: prints a ready-made mapping to begin with.
enum MappingNewCommand {
  enum Options {
    static let model = RequiredOption<MappingModel>.choice("--model", "NAME", "Model to begin with.")
    static let app = RequiredOption<Int>.value(
      "--app", "ID", .integer(0...(.max)), "App Store number of the app.")
    static let currency = TypedOption<String?>.value(
      "--currency", "CODE", .text, "Currency of amounts (ISO 4217).", defaultNote: "USD")
    static let effectiveFrom = TypedOption<Instant?>.value(
      "--effective-from", "TIME", .time, "Time from which devices use the mapping.", defaultNote: "tomorrow")
    static let name = TypedOption<String?>.value(
      "--name", "TEXT", .text, "Name of the mapping.", defaultNote: "the name of the model")
    static let `protocol` = TypedOption<Mapping.Device>.choice(
      "--protocol", "WORD", "Protocol of the mapping.", default: .skan4)
  }

  static let entry = Entry(
    command: Command(
      "mapping new", "Print a mapping made from a model, to change and use.",
      discussion: [
        "Models are those of the editor on the pages: "
          + MappingModel.allCases.map { "\($0.rawValue) (\($0.summary))" }.joined(separator: "; ") + ".",
        "Change in the file: the names of events, to those that your app sends; the amounts in \"revenue\", to "
          + "the prices of your app; \"representative\", to what users in the last range are worth; and "
          + "\"active-hours\", where days make no difference. A range has its lower end and not its upper one.",
        "Then check the file with `skan mapping check`, and try it with `skan mapping try`.",
      ],
      examples: [
        .init(
          "Begin with ranges of revenue",
          "skan mapping new --model revenue --app 1000000001 > mapping.json"),
        .init(
          "Begin with a subscription in euros",
          "skan mapping new --model subscription --app 1000000001 --currency EUR > mapping.json"),
      ],
      options: [
        Options.model.option, Options.app.option, Options.currency.option, Options.effectiveFrom.option,
        Options.name.option, Options.protocol.option,
      ]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let model = try call[Options.model]
    guard let app = AppID(Int64(try call[Options.app])) else {
      throw call.mistake("The value of '--app' is not an app.")
    }
    var head: [JSONOutput.Member] = [.init("protocol", .string(call[Options.protocol].rawValue))]
    if let code = call[Options.currency] {
      guard let currency = CurrencyCode(anyCase: code) else {
        throw call.mistake("The value '\(code)' of '--currency' is not an ISO 4217 code.")
      }
      head.append(.init("currency", .string(currency.text)))
    }
    if let date = call[Options.effectiveFrom] {
      head.append(.init("effective-from", .string(date.description)))
    }
    if let name = call[Options.name] { head.append(.init("name", .string(name))) }
    call.console.write(
      model.document(inPlaceOf: JSONOutput.object(head).bytes(), app: app, now: call.world.clock()))
    return .done
  }
}

extension MappingModel {
  /// What the model counts.
  fileprivate var summary: String {
    switch self {
    case .revenue: "total revenue in ranges"
    case .revenueByDay: "the same ranges for day 1 and day 2"
    case .subscription: "trial, first price, renewal"
    case .funnel: "steps in order, of which the last one counts"
    case .adsAndPurchases: "revenue of ads and of purchases, for two days"
    case .retention: "last active hours and sessions"
    }
  }
}
