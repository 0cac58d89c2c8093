package import JSONText
import Ledger
import Postbacks
import Values

extension Relay {
  /// The members that a relay of a configuration file may have.
  package static let form = JSONForm(
    "a relay", required: ["name", "url"],
    optional: [
      "apps", "networks", "kinds", "environments", "from", "token", "headers", "hmac-secret", "form",
      "parallel", "ordered",
    ])
}

extension JSONPlace {
  package func relays() throws(JSONProblem) -> [Relay] {
    var relays: [Relay] = []
    for entry in try list() {
      let members = try entry.members(Relay.form)
      let place = try members.required("name")
      let name = try place.text()
      guard StoredToken.isHolderName(name) else {
        throw place.mistake("may have only letters, digits, '-', '_' and '.'")
      }
      guard !relays.contains(where: { $0.name == name }) else {
        throw place.mistake("is the name of an earlier relay too", cure: "Give each relay a name of its own.")
      }
      let url = try members.required("url").postAddress()
      // The other side may have chosen the secret, so that its length is a warning and no mistake.
      let secret = try members["hmac-secret"]?.text()
      var relay = Relay(name: name, address: Webhook(url: url, secret: secret.map { Array($0.utf8) }))
      relay.token = try members["token"]?.bearerToken()
      relay.headers = try members["headers"]?.relayHeaders(besides: relay.token) ?? []
      relay.selection = try members.relaySelection()
      relay.start = try members["from"]?.relayStart() ?? .newest
      relay.form = try members["form"]?.word() ?? .postback
      relay.selection.isOncePerConversion = relay.form.isEvent
      if let number = try members["parallel"]?.integer(in: 1...Int64(Relay.mostParallel)) {
        relay.parallel = Int(number)
      }
      relay.isOrdered = try members["ordered"]?.truth() ?? false
      relays.append(relay)
    }
    return relays
  }

  private func bearerToken() throws(JSONProblem) -> String {
    let token = try text()
    guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw mistake("has a space or another letter that no Authorization header can carry")
    }
    return token
  }

  /// The headers of an object of names and values, of which no message shows a value.
  private func relayHeaders(besides token: String?) throws(JSONProblem) -> [RelayHeader] {
    var headers: [RelayHeader] = []
    for (name, place) in try members() {
      guard RelayHeader.isName(name) else {
        throw place.mistake(
          "is no header that you can add",
          cure: "Use letters, digits and '-'; skan sets those of the body itself.")
      }
      guard !headers.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
        throw place.mistake("is the name of an earlier header too")
      }
      guard token == nil || name.lowercased() != "authorization" else {
        throw place.mistake("is what \"token\" sends", cure: "Leave one of both out.")
      }
      let value = try place.text()
      guard RelayHeader.isValue(value) else {
        throw place.mistake("has a value with a letter that no header can carry, or a space at an end")
      }
      headers.append(RelayHeader(name: name, value: value))
    }
    return headers
  }

  private func relayStart() throws(JSONProblem) -> RelayStart {
    switch try text() {
    case "newest": return .newest
    case "beginning": return .beginning
    case let text:
      guard let moment = Instant(text) else {
        throw mistake(
          "must be \"newest\", \"beginning\" or a moment, found \(quoted(text))",
          cure: "Write a moment like \"2026-11-01\" or \"2026-11-01T08:00:00Z\".")
      }
      return .moment(moment)
    }
  }

  /// A list that names something; an empty one would pass nothing on.
  fileprivate func someEntries() throws(JSONProblem) -> [JSONPlace] {
    let entries = try list()
    guard !entries.isEmpty else { throw mistake("is empty", cure: "Leave the member out for all.") }
    return entries
  }
}

extension JSONMembers {
  fileprivate func relaySelection() throws(JSONProblem) -> RelaySelection {
    var selection = RelaySelection()
    for entry in try self["apps"]?.someEntries() ?? [] {
      guard let app = AppID(try entry.integer(in: 1...(.max))) else {
        throw entry.mistake("must be an App Store number")
      }
      selection.apps.insert(app)
    }
    for entry in try self["networks"]?.someEntries() ?? [] {
      guard let network = AdNetworkID(try entry.text()) else { throw entry.mistake("is empty") }
      selection.networks.insert(network.canonical)
    }
    if let kinds = self["kinds"] {
      selection.kinds = []
      for entry in try kinds.someEntries() { selection.kinds.insert(try entry.word()) }
    }
    if let environments = self["environments"] {
      selection.environments = []
      for entry in try environments.someEntries() { selection.environments.insert(try entry.word()) }
    }
    return selection
  }
}
