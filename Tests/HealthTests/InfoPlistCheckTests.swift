import Health
import Testing

private let report = "NSAdvertisingAttributionReportEndpoint"
private let copies = "AttributionCopyEndpoint"
private let optIn = "EligibleForAdAttributionKitReengagementPostbackCopies"

/// Findings of a file with these two addresses and the opt-in, without what they are about.
private func codes(report first: String, copies second: String = "https://shop.example") -> [String] {
  found(
    plist(
      "<key>\(report)</key><string>\(first)</string><key>\(copies)</key><string>\(second)</string>"
        + "<key>\(optIn)</key><true/>")
  ).map { String($0.split(separator: " ")[1]) }
}

struct `An address for device copies` {
  @Test func `An address for device copies is a scheme and a domain`() {
    #expect(codes(report: "https://shop.example") == [])
    #expect(codes(report: "HTTPS://Shop.Example") == [])
    #expect(codes(report: "shop.example") == ["no-scheme"])
    #expect(codes(report: "http://shop.example") == ["not-https"])
    #expect(codes(report: "https://shop.example/") == ["trailing-slash"])
    #expect(codes(report: "https://shop.example/skan") == ["endpoint-path"])
    #expect(codes(report: "https://shop.example?x=1") == ["endpoint-path"])
    #expect(codes(report: "https://shop.example:8443") == ["endpoint-port"])
    #expect(codes(report: "https:/shop.example") == ["no-scheme"])
    #expect(codes(report: "https:") == ["not-a-domain"])
    #expect(codes(report: "https://") == ["not-a-domain"])
    #expect(codes(report: "https://localhost") == ["not-a-domain"])
    #expect(codes(report: "https://203.0.113.7") == ["not-a-domain"])
    #expect(codes(report: "https://shop example.org") == ["not-a-domain"])
    #expect(codes(report: "https://$(DOMAIN)") == ["build-variable"])
    #expect(
      codes(report: "http://shop.example:80/x").sorted() == ["endpoint-path", "endpoint-port", "not-https"])
  }

  @Test func `An address for device copies below a subdomain is a warning with the part that devices use`() {
    for (host, used) in [
      ("ads.shop.example", "shop.example"), ("a.b.shop.co.uk", "shop.co.uk"),
      ("x.me.vercel.app", "me.vercel.app"), ("x.me.azurewebsites.net", "me.azurewebsites.net"),
      ("x.me.a.run.app", "me.a.run.app"), ("x.me.up.railway.app", "me.up.railway.app"),
      ("x.me.uc.r.appspot.com", "me.uc.r.appspot.com"), ("x.me.appspot.com", "me.appspot.com"),
    ] {
      let address = "https://\(host)"
      let check = InfoPlistCheck(
        plist(
          "<key>\(report)</key><string>\(address)</string><key>\(copies)</key><string>\(address)</string>"
            + "<key>\(optIn)</key><true/>"))
      #expect(check.findings.map(\.code) == [.subdomain, .subdomain])
      #expect(check.findings.allSatisfy { $0.severity == .warning && $0.allowed.contains("'\(used)'") })
    }
    for host in ["shop.co.uk", "shop.com.br", "me.vercel.app", "me.azurewebsites.net", "me.a.run.app"] {
      #expect(codes(report: "https://\(host)", copies: "https://\(host)") == [])
    }
  }

  @Test func `An address for device copies that an xcconfig file cut short is named with the cure`() {
    let check = InfoPlistCheck(plist("<key>\(report)</key><string>https:</string>"))
    let finding = check.findings.first { $0.code == .notADomain }
    #expect(finding?.found == "'https:' without a domain")
    #expect(finding?.cure == "write https:/$()/example.com in an .xcconfig file, where // begins a comment")
  }

  @Test(arguments: [
    ("branch-skan.com", "Branch"), ("ios-appstack.com", "Appstack"), ("affise-skadnetwork.com", "Affise"),
    ("linkrunner-skan.com", "Linkrunner"), ("appmetrica.yandex", "AppMetrica"),
    ("justtrack-skadnetwork.io", "justtrack"), ("tenjin-skan.com", "Tenjin"),
  ])
  func `An address for device copies of a partner is named with its owner`(domain: String, owner: String) {
    for host in [domain, "www.\(domain)"] {
      let finding = InfoPlistCheck(plist("<key>\(report)</key><string>https://\(host)</string>")).findings
        .first { $0.code == .partnerEndpoint }
      #expect(finding?.found.hasPrefix("'\(host)', the address of \(owner) (") == true, "\(host)")
    }
  }

  @Test func `An address for device copies of another domain than the other one is a warning`() {
    #expect(
      codes(report: "https://shop.example", copies: "https://shop.test.org").contains("different-domains"))
  }

  @Test
  func `An address for device copies of a partner is an error, and of any other domain than the given one`() {
    func codes(_ address: String, domain: String?) -> [PlistFinding.Code] {
      InfoPlistCheck(
        plist(
          "<key>\(report)</key><string>\(address)</string><key>\(copies)</key><string>https://shop.example</string>"
            + "<key>\(optIn)</key><true/>"), domain: domain
      ).findings.map(\.code).filter { $0 != .differentDomains && $0 != .subdomain && $0 != .trailingSlash }
    }
    for domain in [nil, "shop.example"] {
      #expect(codes("https://appsflyer-skadnetwork.com/", domain: domain) == [.partnerEndpoint])
      #expect(codes("https://appsflyer-skadnetwork.com", domain: domain) == [.partnerEndpoint])
    }
    #expect(codes("https://collect.partner.example", domain: nil) == [])
    #expect(codes("https://collect.partner.example", domain: "shop.example") == [.otherDomain])
    #expect(codes("https://myshop.example", domain: "shop.example") == [.otherDomain])
    #expect(codes("https://Shop.example", domain: "SHOP.example") == [])
    #expect(codes("https://www.shop.example", domain: "shop.example") == [])
    #expect(codes("https://shop.example", domain: "other.example") == [.otherDomain, .otherDomain])
  }

  @Test func `An address for device copies is a string at the top level, with Apple's letters`() {
    func codes(_ members: String) -> [String] { found(plist(members)) }
    #expect(
      codes(
        "<key>\(report)</key><array><string>https://shop.example</string></array>\n"
          + "<key>Attributioncopyendpoint</key><string>https://shop.example</string>")
        == ["3 wrong-type \(report)", "4 misspelt-key Attributioncopyendpoint"])
    #expect(
      codes(
        "<key>NSAdvertisingAtributionReportEndpoint</key><string>https://shop.example</string>\n"
          + "<key>AdAttributionKit - Postback Copy URL</key><string>https://shop.example</string>")
        == [
          "3 misspelt-key NSAdvertisingAtributionReportEndpoint",
          "4 misspelt-key AdAttributionKit - Postback Copy URL",
        ])
    #expect(
      codes(
        "<key>NSAppTransportSecurity</key><dict>\n<key>\(report)</key><string>https://shop.example</string>\n"
          + "<key>Inner</key><array><dict>\n<key>\(copies)</key><string>https://shop.example</string>"
          + "</dict></array></dict>")
        == [
          "4 wrong-place NSAppTransportSecurity.\(report)",
          "6 wrong-place NSAppTransportSecurity.Inner[0].\(copies)",
        ])
  }

  @Test func `An address for device copies that is there twice is an error on the second line`() {
    let member = "<key>\(report)</key><string>https://shop.example</string>\n"
    let other = "<key>\(copies)</key><string>https://shop.example</string><key>\(optIn)</key><true/>\n"
    // A key in a comment is none.
    #expect(found(plist(member + other + "<!-- \(member) -->")) == [])
    #expect(found(plist(member + other + member)) == ["5 duplicate-key \(report)"])
  }
}

struct `The opt-in for copies of re-engagements` {
  private func codes(_ members: String) -> [String] {
    found(
      plist(
        "<key>\(report)</key><string>https://shop.example</string><key>\(copies)</key>"
          + "<string>https://shop.example</string>\n\(members)"))
  }

  @Test func `The opt-in for copies of re-engagements is a Boolean that is true`() {
    #expect(codes("<key>\(optIn)</key><true/>") == [])
    #expect(codes("<key>\(optIn)</key><false/>") == ["4 no-re-engagement-copies \(optIn)"])
    #expect(codes("") == ["- no-re-engagement-copies top level"])
    #expect(codes("<key>\(optIn)</key><integer>1</integer>") == ["4 wrong-type \(optIn)"])
    #expect(
      codes("<key>EligibleForAdAttributionKitReEngagementPostbackCopies</key><true/>")
        == ["4 misspelt-key EligibleForAdAttributionKitReEngagementPostbackCopies"])
    #expect(
      codes(
        "<key>\(optIn)</key><true/>\n<key>EligibleForAdAttributionKitOverlappingConversions</key><string>1</string>"
      )
        == ["5 wrong-type EligibleForAdAttributionKitOverlappingConversions"])
  }
}

struct `Ids of ad networks` {
  private func codes(_ members: String, networks: [String] = []) -> [String] {
    found(
      plist(
        "<key>\(report)</key><string>https://shop.example</string><key>\(copies)</key>"
          + "<string>https://shop.example</string><key>\(optIn)</key><true/>\n\(members)"), networks: networks
    )
  }

  private func kit(_ ids: String...) -> String {
    "<key>AdNetworkIdentifiers</key><array>\(ids.map { "<string>\($0)</string>" }.joined(separator: "\n"))</array>"
  }

  @Test func `Ids of ad networks have one of two endings, lower case and no spaces`() {
    #expect(codes(kit("f2d92a.adattributionkit", "cstr6suwn9.skadnetwork")) == [])
    #expect(
      codes(kit("f2d92a.adattributionkit", "F2D92B.adattributionkit", "f2d92c.adattributionKit"))
        == ["5 identifier-case AdNetworkIdentifiers[1]", "6 identifier-case AdNetworkIdentifiers[2]"])
    for wrong in [
      "cstr6suwn9", "cstr6suwn9.skadnet", " cstr6suwn9.skadnetwork", ".skadnetwork", "a_b.skadnetwork",
    ] {
      #expect(codes(kit(wrong)) == ["4 identifier-form AdNetworkIdentifiers[0]"])
    }
    #expect(codes(kit("${ID}")) == ["4 build-variable AdNetworkIdentifiers[0]"])
  }

  @Test func `Ids of ad networks are dictionaries in one list and strings in the other`() {
    #expect(
      codes("<key>SKAdNetworkItems</key><array>\n<string>cstr6suwn9.skadnetwork</string></array>")
        == ["5 wrong-type SKAdNetworkItems[0]"])
    #expect(
      codes(
        "<key>AdNetworkIdentifiers</key><array>\n<dict><key>SKAdNetworkIdentifier</key>"
          + "<string>cstr6suwn9.skadnetwork</string></dict></array>") == [
          "5 wrong-type AdNetworkIdentifiers[0]"
        ])
    #expect(
      codes(
        "<key>SKAdNetworkItems</key><array><dict>\n<key>SkAdNetworkIdentifier</key>"
          + "<string>cstr6suwn9.skadnetwork</string></dict><dict/></array>")
        == [
          "5 misspelt-key SKAdNetworkItems[0].SkAdNetworkIdentifier", "5 wrong-type SKAdNetworkItems[1]",
        ])
    #expect(
      codes("<key>SKAdNetworkIdentifiers</key><array/>") == ["4 misspelt-key SKAdNetworkIdentifiers"])
  }

  @Test func `Ids of ad networks in the other list only, and of networks that only sent, are warnings`() {
    let items =
      "<key>SKAdNetworkItems</key><array><dict><key>SKAdNetworkIdentifier</key>"
      + "<string>f2d92a.adattributionkit</string></dict></array>"
    #expect(codes(items, networks: ["f2d92a.adattributionkit"]) == ["- other-list top level"])
    let check = InfoPlistCheck(
      plist(items), networks: [.init("cstr6suwn9.skadnetwork", onlySent: true)])
    let finding = check.findings.first { $0.code == .networkNotListed }
    #expect(finding?.severity == .warning)
    #expect(finding?.cure.contains("<string>cstr6suwn9.skadnetwork</string>") == true)
  }
}

struct `Rules of attribution` {
  private func codes(_ rules: String) -> [String] {
    found(
      plist(
        "<key>\(report)</key><string>https://shop.example</string><key>\(copies)</key>"
          + "<string>https://shop.example</string><key>\(optIn)</key><true/>\n"
          + "<key>AdAttributionKitConfigurations</key><dict>\n\(rules)</dict>"
      )
    ).map { $0.replacing("AdAttributionKitConfigurations.", with: "") }
  }

  private func windows(_ party: String, _ install: String) -> String {
    "<key>AttributionWindows</key><dict><key>\(party)</key><dict><key>install</key><dict>\(install)</dict></dict></dict>"
  }

  @Test func `Rules of attribution have days and hours in Apple's ranges`() {
    for (click, view) in [(1, 1), (30, 7)] {
      #expect(
        codes(
          windows(
            "global", "<key>click</key><integer>\(click)</integer><key>view</key><integer>\(view)</integer>"))
          == [])
    }
    let path = "AttributionWindows.global.install"
    #expect(
      codes(windows("global", "<key>click</key><integer>31</integer>")) == ["5 out-of-range \(path).click"])
    #expect(
      codes(windows("global", "<key>click</key><integer>0</integer>")) == ["5 out-of-range \(path).click"])
    #expect(
      codes(windows("global", "<key>view</key><integer>8</integer>")) == ["5 out-of-range \(path).view"])
    #expect(codes(windows("global", "<key>view</key><string>3</string>")) == ["5 wrong-type \(path).view"])
    #expect(codes(windows("global", "<key>view</key><real>1.5</real>")) == ["5 wrong-type \(path).view"])
    #expect(
      codes(windows("global", "<key>View</key><integer>3</integer>")) == ["5 misspelt-key \(path).View"])
    func cooldown(_ name: String, _ hours: Int) -> [String] {
      codes("<key>AttributionCooldown</key><dict><key>\(name)</key><integer>\(hours)</integer></dict>")
    }
    #expect(cooldown("install-cooldown-hours", 0) == [])
    #expect(cooldown("re-engagement-cooldown-hours", 720) == [])
    #expect(
      cooldown("install-cooldown-hours", 721) == ["5 out-of-range AttributionCooldown.install-cooldown-hours"]
    )
  }

  @Test func `Rules of attribution ignore an interaction type for one network only`() {
    let ignore = "<key>ignoreInteractionType</key><string>view</string>"
    #expect(codes(windows("com.apple.test.itms11.2", ignore)) == [])
    #expect(
      codes(windows("global", ignore))
        == ["5 without-effect AttributionWindows.global.install.ignoreInteractionType"])
    #expect(
      codes(windows("test.adattributionkit", "<key>ignoreInteractionType</key><string>View</string>"))
        == ["5 unknown-word AttributionWindows.test.adattributionkit.install.ignoreInteractionType"])
    #expect(
      codes(windows("Test.adattributionkit", "")) == [
        "5 identifier-case AttributionWindows.Test.adattributionkit"
      ])
  }

  @Test func `Rules of attribution are inside their dictionary`() {
    #expect(codes("<key>AttributionWindow</key><dict/>") == ["5 misspelt-key AttributionWindow"])
    #expect(codes("<key>Something</key><dict/>") == ["5 unknown-key Something"])
    #expect(
      found(
        plist(
          "<key>\(report)</key><string>https://shop.example</string><key>\(copies)</key>"
            + "<string>https://shop.example</string><key>\(optIn)</key><true/>\n"
            + "<key>AttributionCooldown</key><dict/>")) == ["4 wrong-place AttributionCooldown"])
  }
}

struct `A file that is no Info.plist` {
  @Test func `A file that is no Info.plist has one finding with the reason`() {
    for text in [
      "", "{}", "hello = 1;", "<plist><dict><key>a</key></dict></plist>", "<plist>", "bplist00", "<a/>",
    ] {
      #expect(found(Array(text.utf8)) == ["- not-a-property-list top level"], "\(text)")
    }
    #expect(found(Array("<plist><array/></plist>".utf8)) == ["- not-a-dictionary top level"])
    let deep = String(repeating: "<array>", count: 100_000)
    #expect(found(Array("<plist>\(deep)".utf8)) == ["- not-a-property-list top level"])
  }

  @Test func `A file that is no Info.plist but has values in each other without end is read in bounded time`()
  {
    // An array whose 30 members are two references each to the next one, and one that holds itself.
    func binary(_ objects: [[UInt8]]) -> [UInt8] {
      var bytes = Array("bplist00".utf8)
      var offsets: [UInt8] = []
      for object in objects {
        offsets.append(UInt8(bytes.count))
        bytes += object
      }
      let table = bytes.count
      let trailer: [UInt8] =
        [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
        + [UInt8](repeating: 0, count: 8)
        + [0, 0, 0, 0, 0, 0, 0, UInt8(table)]
      return bytes + offsets + trailer
    }
    let doubling = (1...30).map { [0xA2, UInt8($0), UInt8($0)] } + [[0x09]]
    #expect(found(binary(doubling)) == ["- not-a-property-list top level"])
    #expect(found(binary([[0xA1, 0]])) == ["- not-a-property-list top level"])
    #expect(found(binary([[0xD0]])).count == 2)
  }
}
