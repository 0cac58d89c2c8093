import JSONText
import Postbacks
import Values

/// The page that an operator hands to a network: where it sends postbacks, how, and what the answers mean.
package struct NetworkGuide: Sendable {
  private let network: String
  private let profile: NetworkProfile
  private let address: String
  /// The address with the token in it.
  private let tokenAddress: String

  /// Prepares a page.
  ///
  /// - Parameters:
  ///   - network: The network's name in the address.
  ///   - profile: How it passes postbacks on.
  ///   - url: Scheme and host of the service, without a slash at the end.
  package init(network: String, profile: NetworkProfile, url: String) {
    self.network = network
    self.profile = profile
    address = "\(url)/v1/networks/\(network)/postbacks"
    tokenAddress = "\(url)/n/TOKEN"
  }

  package var text: String {
    ([
      "# Postbacks for \(network)", "",
      "Forward every postback that Apple's devices send you, at once and whole.", "",
      "## Address", "", "    \(profile.containers == [.parameters] ? "GET" : "POST") \(address)", "",
      "## Token", "",
      "You receive a token apart from this page. Send it as `Authorization: Bearer TOKEN`"
        + (profile.takesParameters ? ", or as the parameter `token`." : "."), "",
      "If your system knows only an address, ask for a path with the token in it, and send everything to it, without a "
        + "header:", "", "    \(profile.containers == [.parameters] ? "GET" : "POST") \(tokenAddress)", "",
      "Keep this address secret: everyone who knows it can send in your name. If others know it, ask for another one; "
        + "the old one then answers 404.",
      "", "## Form", "", formText, "",
    ] + memberTable + ["", "## Example", ""] + examples + [
      "", "## Answers", "", "| status | meaning |", "|---|---|",
      "| 200 | stored; `results` has the verdict of each postback. Do not send it again |",
      "| 400 | not a postback at all |",
      "| 401, 403 | the token is missing, unknown, or another network's |",
      "| 404 | the address has no token, or one that was revoked |",
      "| 413 | more than 8 MiB or 10,000 postbacks in one request |",
      "| 429, 503 | nothing was stored; send the same again, after the seconds in `Retry-After` |", "",
      "A repeated postback is counted once. " + verdictText, "",
    ]).joined(separator: "\n")
  }

  private var formText: String {
    let place =
      switch profile.content {
      case .members: "Apple's members"
      case .textOrMembers(let member): "`\(member)`, Apple's body as a text, or the members below,"
      case .base64(let member): "`\(member)`, the base64 of Apple's body as it came,"
      case .text(let member): "`\(member)`, Apple's body as a text,"
      }
    let container =
      switch (profile.containers.contains(.json), profile.takesParameters) {
      case (true, false): "a JSON object, an array of objects, or one object per line"
      case (false, _): "percent-encoded parameters of a GET, or of a POST as a form"
      case (true, true): "JSON, or percent-encoded parameters of a GET or of a POST as a form"
      }
    return
      "Send \(place) in \(container). Add members of your own as you like: they are kept, and not trusted. "
      + "Leave out what Apple did not send."
  }

  private var verdictText: String {
    profile.isSigned
      ? "Apple's signature must hold over what you forward: change no value of Apple's members."
      : "Without Apple's signature a postback is `unverifiable` and counts as claimed only."
  }

  /// The members of SKAdNetwork 4.0 with a value of each, in Apple's sample.
  private static let sample: [(member: MemberName, value: JSONOutput)] = [
    (.version, "4.0"), (.adNetworkID, "com.example"), (.sourceIdentifier, "5239"), (.appID, 525_463_029),
    (.transactionID, "6aafb7a5-0170-41b5-bbe4-fe71dedf1e30"), (.redownload, false),
    (.sourceAppID, 1_234_567_891), (.fidelityType, 1), (.didWin, true), (.conversionValue, 63),
    (.postbackSequenceIndex, 0),
    (.attributionSignature, "MEUCIGRmSMrqedNu6uaHyhVcifs118R5z/AB6cvRaKrRRHWRAiEA"),
  ]

  private func name(of member: MemberName) -> String {
    profile.names.filter { $0.value == member }.keys.min() ?? member.rawValue
  }

  private var hasMembers: Bool {
    switch profile.content {
    case .members, .textOrMembers: true
    case .base64, .text: false
    }
  }

  private var memberTable: [String] {
    guard hasMembers else { return [] }
    let rows = MemberName.ofBodies.sorted { $0.rawValue < $1.rawValue }.map {
      "| `\(name(of: $0))` | \($0.rawValue) |"
    }
    return ["| your member | Apple's |", "|---|---|"] + rows
  }

  private var examples: [String] {
    let authorization = "-H 'Authorization: Bearer TOKEN'"
    var lines: [String] = []
    if profile.containers.contains(.json) {
      lines += [
        "    curl \(authorization) -H 'Content-Type: application/json' \\",
        "      --data '\(exampleBody)' \\",
        "      \(address)",
      ]
    }
    if profile.takesParameters {
      if !lines.isEmpty { lines.append("") }
      lines += [
        "    \(address)?\(exampleQuery)&token=TOKEN", "", "or, with the token in the path:", "",
        "    \(tokenAddress)?\(exampleQuery)",
      ]
    }
    return lines
  }

  private var exampleBody: String {
    switch profile.content {
    case .members, .textOrMembers:
      return JSONOutput.object(
        Self.sample.map { member, value in
          .init(name(of: member), profile.restoresTypes ? .string(Self.text(value)) : value)
        }
      ).text()
    case .base64(let member), .text(let member):
      return JSONOutput.object([.init(member, "APPLES-BODY")]).text()
    }
  }

  /// The parameters with placeholders for their values, which are what the partner calls them.
  private var exampleQuery: String {
    let members = Self.sample.map { name(of: $0.member) }
    let names =
      switch profile.content {
      case .members: members
      case .textOrMembers(let member): [member] + members
      case .base64(let member), .text(let member): [member]
      }
    return names.map { "\($0)={\($0)}" }.joined(separator: "&")
  }

  private static func text(_ value: JSONOutput) -> String {
    if case .string(let text) = value { text } else { value.text() }
  }
}
