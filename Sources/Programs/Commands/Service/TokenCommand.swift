import Arguments
import Campaigns
import Configuration
import Ledger
import OpenSSL
import Postbacks
import System
import Tables
import Values

/// `skan token`: makes, lists and revokes the tokens that networks forward and people read with.
enum TokenCommand {
  enum Options {
    static let network = TypedOption<String?>.value(
      "--network", "NAME", .text, "Network that may forward postbacks with the token.")
    static let reader = TypedOption<String?>.value(
      "--reader", "NAME", .text, "Reader who may read reports with the token.")
    static let editor = TypedOption<String?>.value(
      "--editor", "NAME", .text,
      "Editor who may read reports and edit mappings and data on the pages with the token.")
    static let testInbox = TypedOption<Bool>.flag(
      "--test-inbox", "Create a path to which test devices send postbacks.")
    static let inPath = TypedOption<Bool>.flag(
      "--in-path", "Create a path with the token in it, for a network that can send no header.")
    static let validFor = TypedOption<TimeSpan?>.value(
      "--valid-for", "TIME", .duration, "Time until a reader's or editor's token or a test inbox expires.",
      defaultNote: "14d for a test inbox; tokens have no end")
    static let apps = TypedOption<[AppID]>.list(
      "--app", "APP", AppID.kind, "App Store numbers of the only apps that a reader sees on the pages.")
    static let networks = TypedOption<[AdNetworkID]>.list(
      "--only-network", "ID", AdNetworkID.kind,
      "Ids of the only ad networks that a reader sees, on the pages that are of networks.")
    static let hmac = TypedOption<Bool>.flag(
      "--hmac", "Create a secret for the network to sign bodies with, instead of a token.")
  }

  static let create = Entry(
    command: Command(
      "token create", "Create an access token.",
      discussion: [
        "skan prints the token once and stores only its SHA-256. A network sends it as Authorization: "
          + "Bearer TOKEN to /v1/networks/NAME/postbacks, a reader to /v1/reports/.... Readers and editors sign in to the "
          + "pages of `skan serve --pages` with it. A running daemon "
          + "accepts it within a second. A network may have several tokens, so that you can replace one "
          + "without a gap.",
        "With --hmac, skan creates a signing secret and stores its text. The network must then sign "
          + "every body in Skan-Signature: t=UNIX_SECONDS,v1=HEX with the HMAC-SHA256 of the seconds, a dot "
          + "and the body as sent. Keep the secret: skan prints it once. A network with several secrets may "
          + "sign with any of them; after the last one is revoked, signatures are optional again.",
        "With --in-path, skan prints a path with the token in it instead of the token. A network that knows only an "
          + "address takes the service's address with this path; it sends what it sends to "
          + "/v1/networks/NAME/postbacks, and the path is revoked like a token. skan never logs it, but proxies and the "
          + "network may.",
        "With --test-inbox, skan prints a path that is hard to guess. A phone in Developer Mode takes the domain with "
          + "this path as the address of a postback in Developer Settings. It accepts postbacks of Apple's "
          + "development keys and of trusted test keys, answers 410 after it has expired, and is revoked like a "
          + "token. `skan inbox watch` shows what arrives, also what is rejected.",
        "With --only-network, a reader may open the pages of campaigns, values, arrivals and withheld values, which then have "
          + "these networks alone; all other pages and the HTTP interface answer 403.",
        "skan prints the text before it stores the token, so every stored token has been printed. If the "
          + "command fails, the printed text is not valid.",
      ],
      examples: [
        .init("For a network", "skan token create -d skan.db --network acme"),
        .init("Create a signing secret for a network", "skan token create -d skan.db --network acme --hmac"),
        .init(
          "For a network that knows only an address", "skan token create -d skan.db --network acme --in-path"),
        .init("For a reader", "skan token create -d skan.db --reader dashboard"),
        .init(
          "For a colleague who sees one app for a month",
          "skan token create -d skan.db --reader cleo --app 525463029 --valid-for 30d"),
        .init(
          "For a partner who sees one network",
          "skan token create -d skan.db --reader partner --only-network example123.skadnetwork --valid-for 90d"
        ),
        .init("For an editor", "skan token create -d skan.db --editor anna"),
        .init("For a test device", "skan token create -d skan.db --test-inbox"),
      ],
      options: [
        .database(), .journal, Options.network.option,
        Options.reader.option, Options.editor.option,
        Options.apps.option, Options.networks.option, Options.hmac.option, Options.inPath.option,
        Options.testInbox.option,
        Options.validFor.option,
      ])
  ) { call in
    let isSecret = call[Options.hmac]
    let isInbox = call[Options.testInbox]
    let isInPath = call[Options.inPath]
    let lasts = call[Options.validFor]?.milliseconds ?? (isInbox ? usualInbox : nil)
    guard lasts.map((1...longestTime).contains) ?? true else {
      throw call.mistake(
        "The value of '--valid-for' is longer than a year, or nothing.", hint: "use 14d, or less")
    }
    let (use, name): (StoredToken.Use, String)
    switch (call[Options.network], call[Options.reader], call[Options.editor]) {
    case (nil, nil, nil) where isInbox && !isSecret && !isInPath: (use, name) = (.testInbox, "test-inbox")
    case _ where isInbox:
      throw call.mistake(
        "'--test-inbox' excludes '--network', '--reader', '--editor', '--hmac' and '--in-path'.")
    case _ where isSecret && isInPath: throw call.mistake("'--in-path' excludes '--hmac'.")
    case (let network?, nil, nil):
      (use, name) = (isSecret ? .sign : isInPath ? .forwardPath : .forward, network)
    case _ where isInPath: throw call.mistake("'--in-path' requires '--network'.")
    case (nil, let reader?, nil) where !isSecret: (use, name) = (.read, reader)
    case (nil, nil, let editor?) where !isSecret: (use, name) = (.edit, editor)
    case (nil, _?, nil), (nil, nil, _?):
      throw call.mistake("'--hmac' requires '--network': readers do not sign.")
    default: throw call.mistake("Use one of '--network', '--reader', '--editor' and '--test-inbox'.")
    }
    guard lasts == nil || use == .read || use == .edit || isInbox else {
      throw call.mistake("'--valid-for' requires '--reader', '--editor' or '--test-inbox'.")
    }
    let apps = call[Options.apps]
    // A limit that is not understood must not open everything.
    guard !apps.isEmpty || !call.settings.isGiven(Options.apps.option) else {
      throw call.mistake("The value of '--app' has no App Store number.", hint: "use --app 525463029")
    }
    guard apps.isEmpty || use == .read else {
      throw call.mistake("'--app' requires '--reader': others see all apps.")
    }
    let networks = call[Options.networks]
    guard !networks.isEmpty || !call.settings.isGiven(Options.networks.option) else {
      throw call.mistake(
        "The value of '--only-network' has no network.", hint: "use --only-network example123.skadnetwork")
    }
    guard networks.isEmpty || use == .read else {
      throw call.mistake("'--only-network' requires '--reader': others see all networks.")
    }
    let limit = ReadLimit(apps: apps, networks: networks)
    guard ConfigurationFile.isNetworkName(name) else {
      throw call.mistake("A name in a URL may have only letters, digits, '-', '_' and '.'.")
    }
    let token = isInbox ? uuidText(try randomBytes(16)) : hexText(try randomBytes(isInPath ? 16 : 32))
    let tokens = try store(call)
    call.console.line(isInbox ? "/t/\(token)" : isInPath ? "/n/\(token)" : token)
    call.console.output.flush()
    switch call.console.output.state {
    case .open: break
    case .closed:
      throw CommandError(
        .inputOutput, "standard output is closed; no \(isSecret ? "secret" : "token") was created",
        remedy: "run the command with standard output open; the text is printed only once")
    // The end of the program reports this one and exits with 74.
    case .failed: return .inputOutput
    }
    let now = call.world.clock()
    let end = lasts.map { now + $0 }
    let id = try naming("the \(isSecret ? "secret" : "token") above is not valid") {
      try tokens.add(
        use, name: name, token: token, expiresAt: end, limit: limit, isSecret: isSecret, now: now)
    }
    if isInbox, let end {
      call.console.note(
        "created test inbox \(id), valid until \(end); its path is not shown again. Enter https://YOUR-DOMAIN with "
          + "this path in Developer Settings, and run `skan inbox watch`")
      return .done
    }
    if isInPath {
      call.console.note(
        "created token \(id) for network '\(name)'; its path is not shown again. Give the network https://YOUR-DOMAIN "
          + "with this path; `skan network guide \(name)` has the rest")
      return .done
    }
    call.console.note(
      "created \(isSecret ? "secret" : "token") \(id) for \(Self.holder(use)) "
        + "'\(name)'\(end.map { ", valid until \($0)" } ?? ""); its text is not shown again"
    )
    return .done
  }

  /// The longest time until an end, in milliseconds.
  private static let longestTime = 366 * Day.milliseconds
  private static let usualInbox = 14 * Day.milliseconds

  private static func holder(_ use: StoredToken.Use) -> String {
    switch use {
    case .read: "reader"
    case .edit: "editor"
    case .forward, .forwardPath, .sign: "network"
    case .testInbox: "inbox"
    case .handover: "app"
    }
  }

  /// 16 random bytes in the form of a UUID of version 4; RFC 9562, section 5.4.
  private static func uuidText(_ random: [UInt8]) -> String {
    var bytes = random
    bytes[6] = (bytes[6] & 0x0F) | 0x40
    bytes[8] = (bytes[8] & 0x3F) | 0x80
    let parts = [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
    return parts.map { hexText(Array($0)) }.joined(separator: "-")
  }

  static let list = Entry(
    command: Command(
      "token list", "List access tokens, without their text.", discussion: [],
      examples: [.init("List all tokens", "skan token list -d skan.db")],
      options: [.database(), .format()])
  ) { call in
    call.print(columns, try call.reader().tokens(), noteIfEmpty: "no tokens")
    return .done
  }

  private static let columns: [Column<StoredToken>] = [
    Column("id", "token", "Number of the token.", \.id),
    Column("use", "use", "What the token is for.", \.use.rawValue),
    Column("name", "name", "Name of its holder.") { Identifier($0.name) },
    Column("sha-256", "SHA-256", "SHA-256 of its text.", shown: .forPrograms) { Identifier($0.digest.hex) },
    Column("created-at", "created", "When it was created.", \.createdAt),
    Column("revoked-at", "revoked", "When it was revoked; none while it is valid.", \.revokedAt),
    Column("expires-at", "expires", "When it expires; none for tokens without an end.", \.expiresAt),
    Column(
      "last-used-on", "last used",
      "UTC day on which it was used last, as far as a daemon noted it; none for never, and for secrets.",
      \.lastUsedOn),
    Column(
      "apps", "apps", "The only apps that it shows; none for all.", shown: .whereUseful
    ) { $0.limit.apps.map { "\($0.number)" } },
    Column(
      "networks", "networks", "The only ad networks that it shows; none for all.", shown: .whereUseful
    ) { $0.limit.networks.map(\.canonical) },
  ]

  static let revoke = Entry(
    command: Command(
      "token revoke", "Revoke an access token.",
      discussion: ["A running daemon rejects the token within a second."],
      examples: [.init("Revoke token 3", "skan token revoke -d skan.db 3")],
      positionals: [Positional("TOKEN", .integer(1...(.max)), "Number of the token in `skan token list`.")],
      options: [.database(), .journal])
  ) { call in
    guard let id = call.settings.positionals.first.flatMap({ Int64($0) }) else {
      throw call.mistake("The number of a token is missing.")
    }
    guard try store(call).revoke(id, now: call.world.clock()) else {
      throw CommandError(
        .failedCheck, "found no valid token \(id)", remedy: "list the tokens with `skan token list`")
    }
    call.console.note("revoked token \(id)")
    return .done
  }

  private static func store(_ call: Invocation) throws -> TokenStore {
    TokenStore(try call.changes(of: call.database))
  }
}
