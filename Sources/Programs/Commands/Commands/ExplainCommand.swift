import Arguments
import JSONText
import Ledger
import Reporting
import System
import Values

/// `skan explain`: prints everything known of one postback.
enum ExplainCommand {
  static let entry = Entry(
    command: Command(
      "explain", "Print everything known of one postback, found by its identifier.",
      discussion: [
        "The identifier is a transaction-id (SKAdNetwork) or a postback-identifier (AdAttributionKit). Shown are the "
          + "verdict, the signed text, when and how each copy came, what contradicts it, when the app was first "
          + "launched as far as Apple's timers tell, and the figures it counts in."
      ],
      examples: [
        .init("Look one up", "skan explain --database skan.db 6aafb7a5-0170-41b5-bbe4-fe71dedf1e30")
      ],
      positionals: [Positional("ID", .text, "The transaction-id or postback-identifier.")],
      options: [.database(), .trustTestKeys, .format(["text", "json"])])
  ) { call in
    let identifier = call.settings.positionals.first ?? ""
    let reader = try call.reader()
    let explanation = try Explanation(of: identifier, from: reader, keyring: call.keyring())
    guard !explanation.isEmpty else {
      call.console.problem(
        "no postback with the identifier '\(printable(identifier))' is stored",
        remedy: "copy the identifier whole; upper and lower case differ")
      return .bad
    }
    let isJSON = call.settings.text("--format") == "json"
    call.console.write(isJSON ? explanation.json.text(pretty: true) + "\n" : explanation.text)
    return .done
  }
}
