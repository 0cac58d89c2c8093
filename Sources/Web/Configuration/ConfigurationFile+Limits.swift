import JSONText
package import Routing
import System
import Values

extension ConfigurationFile {
  /// All members that the limits may have, with the largest value of each; 0 stands for no limit.
  package static let limitRanges:
    [(name: String, path: any WritableKeyPath<RateLimits, Int> & Sendable, most: Int64)] = [
      ("requests-per-second", \.requestsPerSecond, 1_000_000), ("burst", \.burst, 10_000_000),
      ("requests-per-second-per-app", \.requestsPerSecondPerApp, 1_000_000),
      ("burst-per-app", \.burstPerApp, 10_000_000), ("rejected-per-day", \.rejectedPerDay, 1_000_000_000),
    ]
}

extension ConfigurationFile {
  /// Whether text is an origin in the one form that browsers send.
  ///
  /// Source: WHATWG URL, "origin", and its serialization in WHATWG HTML.
  package static func isOrigin(_ text: String) -> Bool {
    let usualPorts = ["https://": ":443", "http://": ":80"]
    guard let (scheme, port) = usualPorts.first(where: { text.hasPrefix($0.key) }) else { return false }
    let host = text.dropFirst(scheme.utf8.count)
    let isPlain = host.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || [0x2D, 0x2E, 0x3A, 0x5B, 0x5D].contains($0)
    }
    let hasPort = host.contains(":") && !host.hasSuffix("]")
    return isPlain && !host.hasSuffix(port) && HostPort(hasPort ? String(host) : "\(host):1") != nil
  }
}

extension AddressRange {
  /// What an entry of the trusted proxies has to be.
  package static let expectation =
    "an address or a range such as \"10.0.0.0/8\", with no bits set behind its length"
}

extension JSONPlace {
  /// Addresses and ranges, as they were written.
  func trustedProxies() throws(JSONProblem) -> [String] {
    var texts: [String] = []
    for entry in try list() {
      let range = try entry.text()
      guard AddressRange(range) != nil else { throw entry.mistake("must be \(AddressRange.expectation)") }
      texts.append(range)
    }
    return texts
  }

  func proxySignIn() throws(JSONProblem) -> ProxySignIn {
    let members = try members(ConfigurationFile.signInForm)
    var ranges: [AddressRange] = []
    let proxies = try members.required("proxies")
    for entry in try proxies.list() {
      guard let range = AddressRange(try entry.text()) else {
        throw entry.mistake("must be \(AddressRange.expectation)")
      }
      guard !range.isEveryAddress else {
        throw entry.mistake("gives every client the proxy's word; name the addresses of the proxy alone")
      }
      ranges.append(range)
    }
    guard !ranges.isEmpty else {
      throw proxies.mistake("is empty; name the addresses of the proxy, such as \"127.0.0.1/32\"")
    }
    var (editors, readers) = ([ProxySignIn.Entry](), [ProxySignIn.Entry]())
    for entry in try members["editors"]?.list() ?? [] { editors.append(try entry.signInEntry()) }
    for entry in try members["readers"]?.list() ?? [] { readers.append(try entry.signInEntry()) }
    guard !editors.isEmpty || !readers.isEmpty else {
      throw mistake("gives no user access; add \"editors\" or \"readers\", such as [\"*\"]")
    }
    return ProxySignIn(
      header: try members.required("header").headerName(),
      groupsHeader: try members["groups-header"]?.headerName(), proxies: ranges, editors: editors,
      readers: readers)
  }

  private func signInEntry() throws(JSONProblem) -> ProxySignIn.Entry {
    let text = try text()
    guard !text.isEmpty, text != "group:" else {
      throw mistake("must be a person's name, \"group:NAME\", or \"*\" for each user of the proxy")
    }
    return ProxySignIn.Entry(text)
  }

  /// Headers that browsers set, or that proxies fill with what a client sent.
  private static let headersOfBrowsers: Set<String> = [
    "cookie", "authorization", "host", "origin", "referer", "user-agent", "accept", "accept-language",
    "accept-encoding", "connection", "content-type", "content-length", "x-forwarded-for", "x-forwarded-host",
    "x-forwarded-proto", "forwarded", "x-real-ip",
  ]

  /// The name of a header that no browser sends by itself.
  private func headerName() throws(JSONProblem) -> String {
    let name = try text()
    let isName =
      !name.isEmpty
      && name.utf8.allSatisfy {
        $0 == 0x2D || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
      }
    guard isName, !Self.headersOfBrowsers.contains(name.lowercased()) else {
      throw mistake("must be the name of a header that the proxy sets, such as \"X-Forwarded-User\"")
    }
    return name
  }

  /// Origins of pages, as browsers write them.
  func corsOrigins() throws(JSONProblem) -> [String] {
    var origins: [String] = []
    for entry in try list() {
      let origin = try entry.text()
      guard ConfigurationFile.isOrigin(origin) else {
        throw entry.mistake(
          "must be an origin as browsers write it, such as \"https://dash.example\": scheme, host in lower case, "
            + "a port only where it is not the usual one, and no slash at the end")
      }
      origins.append(origin)
    }
    return origins
  }

  /// Limits, and the names of those that are given.
  func limits() throws(JSONProblem) -> (RateLimits, Set<String>) {
    let members = try members(JSONForm("the limits", optional: ConfigurationFile.limitRanges.map(\.name)))
    var limits = RateLimits()
    var given: Set<String> = []
    for (name, member, most) in ConfigurationFile.limitRanges {
      guard let value = members[name] else { continue }
      limits[keyPath: member] = Int(try value.integer(in: 0...most))
      given.insert(name)
    }
    return (limits, given)
  }
}
