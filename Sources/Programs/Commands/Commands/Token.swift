import OpenSSL
import Daemon
import Arguments
import JSONText
import Ledger
import Reporting
import System
import Values

/// `skan token`: makes, lists and revokes the tokens that networks forward and people read with.
enum TokenCommand {
  static let create = Entry(
    command: Command(
      "token create", "Make a token; it is printed once and kept only as its SHA-256.",
      discussion: [
        "A network sends it as Authorization: Bearer TOKEN to /v1/networks/NAME/postbacks, a reader to /v1/reports/... A "
          + "running daemon takes it within a second. A network may have several, so that one can follow the other.",
        "With --hmac it is a secret instead, which the database has to keep as it is: from then on the network has to sign "
          + "every body, in Skan-Signature: t=UNIX_SECONDS,v1=HEX with the HMAC-SHA256 of the seconds, a dot and the body as "
          + "sent. Store the secret: it is printed once. A network with several may sign with any of them, and with the last "
          + "one revoked it need not sign any longer.",
        "The text is printed before the database takes it, so that no token holds that nobody has seen. A text whose "
          + "command failed is worth nothing.",
      ],
      examples: [
        .init("For a network", "skan token create -d skan.db --network acme"),
        .init("To have a network sign", "skan token create -d skan.db --network acme --hmac"),
        .init("For a reader", "skan token create -d skan.db --reader dashboard"),
      ],
      options: [
        .database(), .value("--network", "NAME", .text, "The network that may forward with it."),
        .value("--reader", "NAME", .text, "Who may read with it."),
        .flag("--hmac", "Make a secret that the network signs bodies with, not a token."),
      ])
  ) { call in
    let settings = call.settings
    let isSecret = settings.isOn("--hmac")
    let (use, name): (StoredToken.Use, String)
    switch (settings.text("--network"), settings.text("--reader")) {
    case (let network?, nil): (use, name) = (isSecret ? .sign : .forward, network)
    case (nil, let reader?) where !isSecret: (use, name) = (.read, reader)
    case (nil, _?): throw call.mistake("'--hmac' goes with '--network': readers sign nothing.")
    default: throw call.mistake("Either '--network' or '--reader' is needed.")
    }
    guard Configuration.isNetworkName(name) else {
      throw call.mistake("A name may have letters, digits, '-', '_' and '.', for it stands in a URL.")
    }
    let token = hexText(try randomBytes(32))
    let tokens = try store(call)
    call.console.line(token)
    call.console.output.flush()
    switch call.console.output.state {
    case .open: break
    case .closed:
      throw CommandError(
        .inputOutput, "nobody reads standard output, so no \(isSecret ? "secret" : "token") was made",
        remedy: "run it where its output is read; it is printed once")
    // The end of the program tells of this one and exits with 74.
    case .failed: return .inputOutput
    }
    let id = try naming("the \(isSecret ? "secret" : "token") above is worth nothing") {
      try tokens.add(
        use, name: name, token: token, isSecret: isSecret, now: call.world.clock())
    }
    call.console.note(
      "\(isSecret ? "secret" : "token") \(id) of \(use == .read ? "reader" : "network") '\(name)'; it is not shown again"
    )
    return .done
  }

  static let list = Entry(
    command: Command(
      "token list", "Print the tokens there are, without their text.", discussion: [],
      examples: [.init("All of them", "skan token list -d skan.db")],
      options: [.database(), .format(["table", "json"])])
  ) { call in
    let tokens = try call.reader().tokens()
    if call.format == .json {
      call.console.writeArray(
        tokens.map { token in
          [
            "id": .integer(token.id), "use": .string(token.use.rawValue), "name": .string(token.name),
            "sha-256": .string(token.digest.hex), "created-at": .string("\(token.createdAt)"),
            "revoked-at": .optional(token.revokedAt.map { "\($0)" }),
          ]
        })
      return .done
    }
    guard !tokens.isEmpty else {
      call.console.line("no tokens")
      return .done
    }
    var table = TextTable([
      .init("token", isNumeric: true), .init("use"), .init("name"), .init("made"), .init("revoked"),
    ])
    for token in tokens {
      table.add([
        "\(token.id)", token.use.rawValue, printable(token.name), "\(token.createdAt)",
        token.revokedAt.map { "\($0)" } ?? "",
      ])
    }
    call.console.write(table.text)
    return .done
  }

  static let revoke = Entry(
    command: Command(
      "token revoke", "Make a token worthless from now on.",
      discussion: ["A running daemon refuses it within a second."],
      examples: [.init("By its number", "skan token revoke -d skan.db 3")],
      positionals: [Positional("TOKEN", .integer(1...(.max)), "Its number, as `skan token list` tells it.")],
      options: [.database()])
  ) { call in
    guard let id = call.settings.positionals.first.flatMap({ Int64($0) }) else {
      throw call.mistake("The number of a token is missing.")
    }
    guard try store(call).revoke(id, now: call.world.clock()) else {
      throw CommandError(.bad, "there is no token \(id) that holds", remedy: "see `skan token list`")
    }
    call.console.note("token \(id) is revoked")
    return .done
  }

  private static func store(_ call: Invocation) throws -> TokenStore {
    let path = call.settings.text("--database") ?? ""
    return try naming("cannot store in '\(path)'") { try TokenStore(path: path) }
  }
}
