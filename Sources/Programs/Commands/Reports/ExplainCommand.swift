import Arguments
import Explanations
import JSONText
import Ledger
import System
import Tables
import Values

/// `skan explain`: prints everything known of one postback.
enum ExplainCommand {
  static let entry = Entry(
    command: Command(
      "explain", Explanation.summary, discussion: Explanation.discussion,
      examples: [
        .init("Explain a postback", "skan explain --database skan.db 6aafb7a5-0170-41b5-bbe4-fe71dedf1e30")
      ],
      positionals: [Positional("ID", .text, "A transaction-id or postback-identifier.")],
      options: [.database(), .trustTestKeys, .format(["text", "json"])])
  ) { call in
    let identifier = call.settings.positionals.first ?? ""
    let reader = try call.reader()
    let explanation = try Explanation(of: identifier, from: reader, keyring: call.keyring())
    guard !explanation.isEmpty else {
      call.console.problem(
        "the database has no postback with the identifier '\(printable(identifier))'",
        remedy: "copy the complete identifier; it is case-sensitive")
      return .failedCheck
    }
    let isJSON = call.format == .json
    call.console.write(isJSON ? explanation.json.text(pretty: true) + "\n" : explanation.text)
    return .done
  }
}
