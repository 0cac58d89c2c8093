import Arguments
import Configuration
import Intake
import NetworkForms
import Postbacks
import Routing
import System
import Tables
import Values
import Verification

/// `skan network`: lists the forms in which networks pass postbacks on, tries one, and prints the page for a network.
enum NetworkCommand {
  enum Options {
    static let query = TypedOption<String?>.value(
      "--query", "TEXT", .text, "Query of a GET to read instead of a file, without the question mark.")
    static let profile = TypedOption<String?>.value(
      "--profile", "NAME", .text, "Profile of the network.",
      defaultNote: "that of the configuration, else apple")
    static let url = TypedOption<String>.value(
      "--url", "URL", .text, "Address of the service, without a path.", default: "https://skan.example")
  }

  static let entries: [Entry] = [list, attempt, guide]

  private static let list = Entry(
    command: Command(
      "network list", "List the profiles of networks' forms.",
      discussion: [
        "A profile describes how a network passes Apple's postbacks on. Name it in the configuration, as \"form\" of a "
          + "network; an object there describes any other form."
      ],
      examples: [.init("List all profiles", "skan network list")],
      options: [.format()])
  ) { call in
    call.print(columns, NetworkProfile.builtIn)
    return .done
  }

  private static let columns: [Column<NetworkProfile>] = [
    Column("name", "profile", "Name of the profile.", \.name),
    Column("containers", "travels in", "What Apple's members travel in.") { profile in
      NetworkProfile.Container.allCases.filter(profile.containers.contains).map(\.rawValue)
        .joined(separator: ", ")
    },
    Column("signed", "signed", "Whether Apple's signature is passed on.") { $0.isSigned ? "yes" : "no" },
    Column("summary", "form", "The form in a sentence.", \.summary),
    Column("source", "source", "Where the form is documented.", shown: .forPrograms) { $0.source },
  ]

  private static let attempt = Entry(
    command: Command(
      "network try", "Read postbacks in a network's form, and explain what was read.",
      discussion: [
        "skan prints each member with what was done to it, and the verdict of each postback. It stores nothing. "
          + "PROFILE is a network of the configuration or a profile of `skan network list`.",
        "The exit code is 0 if every postback is valid, or unverifiable by a profile without signatures; else 1.",
      ],
      examples: [
        .init("Try a file", "skan network try singular forwarded.json"),
        .init(
          "Try a query",
          "skan network try macros --query 'version=4.0&transaction_id=6aafb7a5&app_id=525463029'"
        ),
      ],
      positionals: [
        Positional("PROFILE", .text, "Network of the configuration, or profile."),
        Positional("FILE", .path, "File in the network's form; -: standard input.", isRequired: false),
      ],
      options: [Options.query.option, .trustTestKeys, .format()])
  ) { call in
    let words = call.settings.positionals
    let profile = try chosenProfile(words.first ?? "", call)
    let keyring = try call.keyring()
    let forms: [FormReading]
    switch (call[Options.query], words.dropFirst().first) {
    case (let query?, nil):
      guard profile.takesParameters else {
        throw call.mistake("The profile '\(profile.name)' has no query; give a FILE.")
      }
      forms = [profile.read(Array(query.utf8))]
    case (nil, let path?): forms = try read(path, by: profile, call)
    default: throw call.mistake("Give either a FILE or '--query'.")
    }
    let judged = forms.map { keyring.judge($0) }
    call.print(
      triedColumns,
      judged.enumerated().flatMap { index, pair in
        TriedMember.rows(of: pair.form, pair.judgement, index: index)
      })
    for (index, (form, judgement)) in judged.enumerated() {
      let environment = judgement.environment.map { " (\($0.rawValue))" } ?? ""
      call.console.note(
        "postback \(index) is \(judgement.state.rawValue)\(environment)"
          + (judgement.reason.map { ": \($0)" } ?? ""))
      for member in form.members where member.remark == .macro {
        call.console.note(
          "'\(printable(member.name))' of postback \(index) has a macro that was not replaced: "
            + printable(member.value))
      }
    }
    let isAsExpected = judged.allSatisfy {
      $0.judgement.state == .valid || (!profile.isSigned && $0.judgement.claim != nil)
    }
    return isAsExpected ? .done : .failedCheck
  }

  private struct TriedMember {
    let index: Int
    let member: FormMember?
    let judgement: Judgement

    static func rows(of form: FormReading, _ judgement: Judgement, index: Int) -> [TriedMember] {
      let rows = form.members.map { TriedMember(index: index, member: $0, judgement: judgement) }
      return rows.isEmpty ? [TriedMember(index: index, member: nil, judgement: judgement)] : rows
    }
  }

  private static let triedColumns: [Column<TriedMember>] = [
    Column("index", "index", "Number of the postback in the file, from 0.", \.index),
    Column("name", "member", "The network's name of the member.") { $0.member.map { Identifier($0.name) } },
    Column("apple", "Apple's", "Apple's name of it; none for the network's own.", \.member?.member?.rawValue),
    Column("value", "value", "Its value as text.") { $0.member.map { Identifier($0.value) } },
    Column("treatment", "read as", "What was done with it.", \.member?.treatment.rawValue),
    Column(
      "state", "state", "Verdict of the postback.", shown: .forPrograms, \.judgement.state.rawValue),
    Column("reason", "reason", "Why it is not valid.", shown: .forPrograms, \.judgement.reason?.english),
  ]

  private static func read(
    _ path: String, by profile: NetworkProfile, _ call: Invocation
  ) throws -> [FormReading] {
    let file = try InputFile(path, on: call.console)
    var bytes: [UInt8] = []
    while let next = try file.next() {
      bytes += next
      guard bytes.count <= mostBytes else {
        throw CommandError(
          .data, "'\(path)' has more than \(mostBytes) bytes",
          remedy: "try a few postbacks, and `skan ingest` files")
      }
    }
    if profile.readsAsParameters(bytes) {
      // An editor ends a line that a network does not end.
      while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
      return [profile.read(bytes)]
    }
    var splitter = DocumentSplitter()
    let documents = splitter.append(bytes) + splitter.finish()
    guard !documents.isEmpty else { throw CommandError(.data, "found no postback in '\(path)'") }
    return documents.map { profile.read($0) }
  }

  /// Bytes of a file that is tried at most.
  private static let mostBytes = 1 << 20

  private static let guide = Entry(
    command: Command(
      "network guide", "Print the page to hand to a network.",
      discussion: [
        "The page has the address, the form, an example and the meaning of the answers. Create the token with "
          + "`skan token create --network NAME` and hand it over apart from the page."
      ],
      examples: [
        .init(
          "Write the page of a network", "skan network guide acme --profile macros --url https://skan.example"
        )
      ],
      positionals: [Positional("NAME", .text, "Name of the network in the address.")],
      options: [Options.profile.option, Options.url.option])
  ) { call in
    let name = call.settings.positionals.first ?? ""
    guard ConfigurationFile.isNetworkName(name) else {
      throw call.mistake("A name in a URL may have only letters, digits, '-', '_' and '.'.")
    }
    let url = call[Options.url]
    guard ConfigurationFile.isOrigin(url) else {
      throw call.mistake(
        "The value '\(printable(url))' of '--url' is not an address without a path, such as https://skan.example."
      )
    }
    let configured = call.configuredProfile(of: name)
    let profile = try call[Options.profile].map { try chosenProfile($0, call) } ?? configured ?? .apple
    call.console.write(NetworkGuide(network: name, profile: profile, url: url).text)
    return .done
  }

  private static func chosenProfile(_ name: String, _ call: Invocation) throws -> NetworkProfile {
    if let profile = call.configuredProfile(of: name) { return profile }
    if let profile = NetworkProfile.builtIn(name) { return profile }
    throw call.mistake(
      "There is no profile '\(printable(name))'.",
      hint: "Use one of \(NetworkProfile.builtIn.map(\.name).joined(separator: ", ")), or a network of the "
        + "configuration.")
  }
}

extension Invocation {
  /// The form of a network in the configuration; `nil` where it has none of that name.
  func configuredProfile(of network: String) -> NetworkProfile? {
    configuration.networks.first { $0.name == network }?.profile
  }
}
