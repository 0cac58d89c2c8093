import Health
import PropertyLists

extension FuzzTarget {
  /// Property lists of apps: bounded, with findings that have a place of the file, in an order that does not change.
  static let plist = FuzzTarget("plist", dictionary: plistWords) { bytes in
    let check = InfoPlistCheck(bytes, networks: [.init("cstr6suwn9.skadnetwork", onlySent: false)])
    try law(
      check.findings
        == InfoPlistCheck(bytes, networks: [.init("cstr6suwn9.skadnetwork", onlySent: false)]).findings,
      "the same bytes have the same findings")
    let lines = bytes.count { $0 == 0x0A } + 1
    for finding in check.findings {
      try law(finding.line.map { (1...lines).contains($0) } ?? true, "a line is one of the file: \(finding)")
      try law(finding.found.utf8.count < 2_000, "a finding is short: \(finding)")
    }
    let isRead = (try? PropertyListFile(bytes)) != nil
    try law(
      isRead != check.findings.contains { $0.code == .notAPropertyList },
      "a file is read, or it has the finding that it is no property list")
  }

  private static let plistWords = [
    "<dict>", "</dict>", "<array>", "</array>", "<key>", "</key>", "<string>", "</string>", "<true/>",
    "<integer>",
    "<!--", "-->", "<![CDATA[", "]]>", "&amp;", "bplist00", "NSAdvertisingAttributionReportEndpoint",
    "AttributionCopyEndpoint", "SKAdNetworkItems", "SKAdNetworkIdentifier", "AdNetworkIdentifiers",
    "AdAttributionKitConfigurations", "AttributionWindows", "AttributionCooldown", "global", "install",
    "click",
    "https://", ".skadnetwork", "CF$UID", "$null",
  ]
}
