@testable import Campaigns
@testable import Ledger
import Postbacks
import Testing
import Values

struct `A name that nothing has` {
  private func row(_ network: String, _ campaign: String, app: Int64 = 1) throws -> CampaignRow {
    CampaignRow(
      uncounted: .sourceIdentifier(try #require(SourceIdentifier(campaign))), app: AppID(app),
      network: network)
  }

  @Test func `A name that nothing has is compared without case, punctuation and the ending of networks`() {
    var search = NameSearch()
    for name in ["alpha.skadnetwork", "Winter Video", "Spring Video", "ab"] { search.add(name) }
    #expect(search.nearest(to: "alpha") == ["alpha.skadnetwork"])
    #expect(search.nearest(to: "ALPHA.adattributionkit") == ["alpha.skadnetwork"])
    #expect(search.nearest(to: "winter_video") == ["Winter Video"])
    #expect(search.nearest(to: "Wnter Video") == ["Winter Video"])
    #expect(search.nearest(to: "Winnter Video") == ["Winter Video"])
    #expect(search.nearest(to: "Winzer Video") == ["Winter Video"])
    #expect(search.nearest(to: "Summer Video").isEmpty)
    #expect(search.nearest(to: "ac").isEmpty && search.nearest(to: "").isEmpty)
  }

  @Test(arguments: UInt64(1)...100)
  func `A name that nothing has is found exactly where one letter differs, is missing or is too many`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    func word() -> String {
      String((0..<(5 + random.number(below: 3))).map { _ in Array("abc")[random.number(below: 3)] })
    }
    let (names, asked) = ((0..<12).map { _ in word() }, word())
    var search = NameSearch()
    for name in names { search.add(name) }
    let near = Set(
      names.filter { name in
        let (a, b) = (Array(name), Array(asked))
        func without(_ letters: [Character]) -> Set<[Character]> {
          Set(letters.indices.map { index in Array(letters[..<index] + letters[(index + 1)...]) })
        }
        return a != b
          && (!without(a).isDisjoint(with: without(b)) || without(a).contains(b) || without(b).contains(a))
      })
    let found = search.nearest(to: asked)
    #expect(
      Set(found).isSubset(of: near) && found.isEmpty == near.isEmpty
        && found.count == min(3, Set(found).count))
  }

  @Test func `A name that nothing has of a network is found by its built-in name`() throws {
    let received = ReceivedCampaigns([try row("v9wttpbfk9.skadnetwork", "5239")])
    #expect(received.nearest(toNetwork: "meta") == ["v9wttpbfk9.skadnetwork"])
    #expect(received.nearest(toNetwork: "google").isEmpty)
  }

  @Test
  func `A name that nothing has of a campaign is compared with the next numbers and the same last digits`()
    throws
  {
    let received = ReceivedCampaigns(
      [
        try row("n", "5238"), try row("n", "5240"), try row("n", "9000"), try row("m", "5239"),
        try row("n", "39"),
      ])
    #expect(received.nearest(toCampaign: "5239", of: "n") == ["39", "5238", "5240"])
    #expect(received.nearest(toCampaign: "9999", of: "n") == ["9000"])
    #expect(received.nearest(toCampaign: "Winter", of: "n").isEmpty)
  }
}

struct `A built-in name` {
  @Test func `A built-in name has a network, a name and the page it is from, once each`() {
    let names = BuiltInName.all
    #expect(names.count > 40)
    #expect(Set(names.map { [$0.network, $0.campaign] }).count == names.count)
    for name in names {
      #expect(name.network == name.network.lowercased() && !name.name.isEmpty)
      #expect(name.source.hasPrefix("https://"))
      #expect(
        name.network == "com.apple.ads" || name.network.wholeMatch(of: /[a-z0-9]{10}\.skadnetwork/) != nil)
    }
    let placements = names.filter { $0.network == "com.apple.ads" && !$0.campaign.isEmpty }
    #expect(placements.map(\.campaign) == ["10", "20", "30", "40"])
  }

  @Test func `A built-in name is shown until a name is imported in its place`() throws {
    let day = Day(number: 20_000)
    let placement = try #require(CampaignID(10))
    func called(_ imported: [CampaignNameRow]) -> (network: String?, placement: CampaignNames.Match) {
      let names = CampaignNames(imported)
      return (
        names.name(ofNetwork: "com.apple.ads", on: day),
        names.match(network: "com.apple.ads", campaign: .campaignID(placement), app: nil, days: day...day)
      )
    }
    func row(_ campaign: String, _ name: String) -> CampaignNameRow {
      CampaignNameRow(
        network: "com.apple.ads", campaign: campaign, from: day, to: nil, name: name, adSet: nil,
        creative: nil,
        country: nil)
    }
    let builtIn = called([])
    #expect(builtIn.network == "Apple Ads")
    guard case .known(let found) = builtIn.placement else {
      Issue.record("no name")
      return
    }
    #expect(found.name == "Search Results")
    let own = called([row("", "ASA"), row("10", "Search")])
    #expect(own.network == "ASA" && own.placement == .known(row("10", "Search")))
  }
}
