import Arguments
package import JSONText
import Postbacks
package import Values

/// How many campaigns networks take, and the documents that state it; its form is `schemas/limits.schema.json`.
package struct NetworkLimits: AskedInside {
  /// What a document or a person states about one network.
  package struct Entry: Sendable {
    /// Its network is an ad network identifier, or what people call the network.
    package let limit: CampaignLimit
    /// What is counted, such as ad sets.
    package var what: String?
    /// The address of the document.
    package var source: String?
    /// The day on which it was read.
    package var read: Day?
  }

  package var entries: [Entry] = []

  /// Those that networks' documents state.
  package static let builtIn =
    (try? read(PackageResources.network_limits_json, named: "network-limits.json"))
    ?? Self()

  /// Reads the bytes of a file; the name is for messages.
  package static func read(_ bytes: [UInt8], named name: String) throws(JSONFileError) -> Self {
    let file = JSONFile(bytes, name: name, schema: "schemas/limits.schema.json")
    return Self(entries: try file.read { (root) throws(JSONProblem) in try root.limits() })
  }

  /// The limit of a network, by its identifier or else by its name; the last of several counts.
  func entry(of network: String, called name: String?) -> Entry? {
    entries.last { [network, name?.lowercased()].contains($0.limit.network.canonical) }
  }

  /// What was given counts before all of these.
  func replaced(by given: [Entry]) -> Self { Self(entries: entries + given) }
}

extension JSONPlace {
  fileprivate func limits() throws(JSONProblem) -> [NetworkLimits.Entry] {
    let root = try members(
      JSONForm("a file of limits", required: ["limits"], optional: ["$schema"]))
    _ = try root["$schema"]?.text()
    var entries: [NetworkLimits.Entry] = []
    for place in try root.required("limits").list(atMost: 1_000) { entries.append(try place.limit()) }
    return entries
  }

  private func limit() throws(JSONProblem) -> NetworkLimits.Entry {
    let members = try members(
      JSONForm(
        "a limit", required: ["network", "campaigns"], optional: ["what", "reuse-hours", "source", "read"]))
    let network = try members.required("network")
    guard let id = AdNetworkID(try network.text()) else { throw network.problem(.emptyText) }
    let campaigns = try members.required("campaigns")
    let isUnknown = if case .null = campaigns.node.value { true } else { false }
    var entry = NetworkLimits.Entry(
      limit: CampaignLimit(
        id, campaigns: isUnknown ? nil : Int(try campaigns.integer(in: CampaignLimit.counts)),
        hoursToReuse: (try members["reuse-hours"]?.integer(in: CampaignLimit.hours)).map { Int($0) }))
    entry.what = try members["what"]?.text()
    entry.source = try members["source"]?.text()
    entry.read = (try members["read"]?.instant())?.day
    return entry
  }
}
