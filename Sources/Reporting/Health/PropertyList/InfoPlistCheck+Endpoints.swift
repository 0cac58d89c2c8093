import PropertyLists
import Values

// The two addresses and the opt-in: where devices send copies.

extension InfoPlistCheck {
  /// Checks both addresses; `known` are keys that are reported already.
  mutating func checkEndpoints(_ members: [String: PropertyList], known: Set<String>) {
    var domains: [String] = []
    for (key, framework) in [
      (TopLevelKeys.report, "SKAdNetwork"), (TopLevelKeys.copies, "AdAttributionKit"),
    ] {
      let path = PlistPath.top.key(key)
      guard let value = members[key] else {
        guard !known.contains(key) else { continue }
        report(
          .missingEndpoint, at: .top, found: "no \(quoted(key))",
          allowed: "the address that receives device copies of \(framework), such as https://example.com",
          cure: "add the key \(quoted(key)) to the top level, with the string https://YOUR-DOMAIN")
        continue
      }
      guard case .string(let text) = value else {
        reportType(
          of: value, at: path, allowed: "a string such as https://example.com",
          cure: "change its type to String")
        continue
      }
      if let domain = checkAddress(text, at: path) { domains.append(domain) }
    }
    if domains.count == 2, domains[0] != domains[1] {
      report(
        .differentDomains, at: .top.key(TopLevelKeys.copies), found: quoted(domains[1]),
        allowed:
          "the domain of \(TopLevelKeys.report), \(quoted(domains[0])), unless two services receive copies",
        cure: "check which of the two is right")
    }
  }

  /// Checks one address.
  ///
  /// - Returns: Its host in lower case; nil where it is none that a device can use.
  private mutating func checkAddress(_ text: String, at path: PlistPath) -> String? {
    let form = "an address in the form https://example.com"
    if text.contains("$(") || text.contains("${") {
      report(
        .buildVariable, at: path, found: "the build variable \(quoted(text))", allowed: form,
        cure: "check the Info.plist inside the built app, where the variable has its value")
      return nil
    }
    guard let scheme = text.firstRange(of: "://") else {
      let name = text.lowercased()
      let isCut = ["https:", "http:"].contains(name)
      report(
        isCut ? .notADomain : .noScheme, at: path,
        found: isCut ? "\(quoted(text)) without a domain" : quoted(text), allowed: form,
        cure: isCut
          ? "write https:/$()/example.com in an .xcconfig file, where // begins a comment"
          : name.hasPrefix("https:") || name.hasPrefix("http:")
            ? "write two slashes behind https:" : "write https:// in front of the domain")
      return nil
    }
    if text[..<scheme.lowerBound].lowercased() != "https" {
      report(
        .notHTTPS, at: path, found: "the scheme \(quoted(String(text[..<scheme.lowerBound])))",
        allowed: "https", cure: "write https://; devices use HTTPS only")
    }
    let rest = text[scheme.upperBound...]
    let authority = rest.prefix { !"/?#".contains($0) }
    let tail = rest[authority.endIndex...]
    if tail == "/" {
      report(
        .trailingSlash, at: path, found: "a slash at the end of \(quoted(text))", allowed: form,
        cure: "delete the slash")
    } else if !tail.isEmpty {
      report(
        .endpointPath, at: path, found: "the path \(quoted(String(tail)))",
        allowed: "\(form); devices use the domain alone and add Apple's path",
        cure: "delete what follows the domain, and receive at Apple's path")
    }
    var host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    if let colon = host.lastIndex(of: ":"), host[host.index(after: colon)...].allSatisfy(\.isNumber) {
      report(
        .endpointPort, at: path, found: "the port \(quoted(String(host[colon...])))",
        allowed: "\(form); devices use port 443", cure: "delete the port, and receive on port 443")
      host = host[..<colon]
    }
    guard Self.isDomain(host) else {
      report(
        .notADomain, at: path, found: "the host \(quoted(String(host)))",
        allowed: "a domain name with a certificate that devices trust",
        cure: "use a registered domain; an address of numbers or a local name does not work")
      return nil
    }
    let name = host.lowercased()
    let registrable = RegistrableDomain.probable(of: name)
    if let partner = PartnerEndpoint.all.first(where: { $0.domain == registrable ?? name }) {
      report(
        .partnerEndpoint, at: path,
        found: "\(quoted(name)), the address of \(partner.owner) (\(partner.source))",
        allowed: "the domain where skan receives; a device sends one copy, and \(partner.owner) gets it",
        cure: "write https://\(domain ?? "YOUR-DOMAIN"), and pass copies on to \(partner.owner) with a relay")
    } else if let domain, name != domain, !name.hasSuffix(".\(domain)") {
      report(
        .otherDomain, at: path, found: quoted(name),
        allowed:
          "\(quoted(domain)), where skan receives; a device sends one copy, and \(quoted(name)) gets it",
        cure: "write https://\(domain), or pass copies on from \(quoted(name)) to skan")
    }
    if let registrable, registrable != name {
      report(
        .subdomain, at: path, found: "the subdomain in \(quoted(name))",
        allowed:
          "the registrable part of the domain, probably \(quoted(registrable)); devices ignore subdomains",
        cure: "make sure that \(registrable) itself passes Apple's paths to skan")
    }
    return name
  }

  /// Whether a text is a name in the domain name system with at least two labels, the last of them no number.
  package static func isDomain(_ host: some StringProtocol) -> Bool {
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    return labels.count > 1 && host.utf8.count <= 253 && labels.last?.allSatisfy(\.isNumber) == false
      && !["local", "localhost", "test", "invalid", "internal"].contains(labels.last?.lowercased() ?? "")
      && labels.allSatisfy { label in
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
          && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
      }
  }

  /// Checks the two settings that are `true` or `false`.
  mutating func checkFlags(_ members: [String: PropertyList], known: Set<String>) {
    let optIn = TopLevelKeys.reengagementCopies
    for key in [optIn, TopLevelKeys.overlapping] {
      guard let value = members[key] else { continue }
      guard case .flag = value else {
        reportType(
          of: value, at: .top.key(key), allowed: "a Boolean",
          cure: "change its type to Boolean: <true/> in XML")
        continue
      }
    }
    let hasCopies = members[TopLevelKeys.copies] != nil
    if hasCopies, members[optIn] == nil && !known.contains(optIn) || members[optIn] == .flag(false) {
      report(
        .noReengagementCopies, at: members[optIn] == nil ? .top : .top.key(optIn),
        found: members[optIn] == nil ? "no \(quoted(optIn))" : "the value false",
        allowed: "true, where copies of re-engagement postbacks are wanted (iOS 18)",
        cure: "set \(quoted(optIn)) to the Boolean true, unless the app has no re-engagement ads")
    }
  }
}
