import Ledger
import Postbacks
import SampleData
import Values

/// Stores what an advertiser imports beside the postbacks of a plan: names, spend, rates and installs.
struct WorldReferences {
  let plan: WorldPlan
  let path: String

  /// - Parameter installs: Those of each app by day.
  /// - Returns: How many rows of spend there are.
  func store(installs: [[Int: Int64]], seed: UInt64) throws -> Int {
    let store = try ReferenceStore(path: path)
    for (currency, rate, drift) in [("EUR", 1.08, 0.0005), ("GBP", 1.26, -0.0003)] {
      for number in stride(from: 0, to: plan.days, by: 7) {
        let worth = rate + drift * Double(number)
        let row = RateRow(
          day: plan.day(number), currency: currency, quote: "USD", picos: Int64(worth * 1e12))
        try store.put([row])
      }
    }
    try store.put(
      zip(plan.apps, installs).flatMap { app, days in
        days.map { OwnInstallsRow(day: plan.day($0), app: app.id, installs: $1) }
      })
    for network in plan.networks.indices {
      for app in plan.apps.indices { try store.put(names(app: app, network: network)) }
    }
    try store.put(
      plan.networks.enumerated().map { name("Network \($0)", network: $1) }
        + plan.apps.map { name($0.name, app: $0.id.number) })
    var random = SplitMix64(seed: seed &+ 2)
    var count = 0
    for number in 0..<plan.days {
      let rows = spend(on: number, &random)
      try store.put(rows)
      count += rows.count
    }
    return count
  }

  private func name(_ name: String, network: String = "", app: Int64? = nil) -> CampaignNameRow {
    CampaignNameRow(
      network: network, campaign: "", app: app, from: plan.day(0), to: nil, name: name, adSet: nil,
      creative: nil, country: nil)
  }

  /// Names of most campaigns; some end, some change, and some are of two digits.
  private func names(app: Int, network: Int) -> [CampaignNameRow] {
    var ofTwoDigits: Set<String> = []
    return plan.campaigns(app: app, network: network).flatMap { campaign -> [CampaignNameRow] in
      guard campaign.number % 7 != 3 else { return [] }
      let isOld = plan.apps[app].kind == .ads
      func row(_ digits: String, _ name: String, _ days: Range<Int>, ends: Bool) -> CampaignNameRow {
        CampaignNameRow(
          network: plan.networks[network], campaign: digits, app: plan.apps[app].id.number,
          from: plan.day(days.lowerBound), to: ends ? plan.day(days.upperBound) : nil, name: name,
          adSet: digits.count > 2 ? "Ad set \(digits.dropFirst().prefix(1))" : nil,
          creative: digits.count > 3 ? "Creative \(digits.prefix(1))" : nil,
          country: isOld ? nil : campaign.country, number: "\(120_000_000_000 + campaign.number * 137)")
      }
      let days = campaign.days
      let middle = (days.lowerBound + days.upperBound) / 2
      let isRenamed = campaign.number % 20 == 0 && middle > days.lowerBound
      var rows = [
        row(
          campaign.digits, campaign.name, days.lowerBound..<(isRenamed ? middle : days.upperBound),
          ends: campaign.number % 4 == 0)
      ]
      if isRenamed {
        rows.append(row(campaign.digits, "\(campaign.name) new", middle..<days.upperBound, ends: false))
      }
      let short = String(campaign.digits.suffix(2))
      if !isOld, campaign.number % 2 == 0, ofTwoDigits.insert(short).inserted {
        rows.append(row(short, "Campaign \(short)", 0..<plan.days, ends: false))
      }
      return rows
    }
  }

  /// Nine of ten campaigns have spend; a third of the networks names campaigns by their names, and each has some spend of a
  /// campaign without postbacks.
  private func spend(on number: Int, _ random: inout SplitMix64) -> [SpendRow] {
    var rows: [SpendRow] = plan.networks.indices.map { network in
      SpendRow(
        day: plan.day(number), network: plan.networks[network], campaign: "web \(number / 30)", app: nil,
        currency: "EUR", micros: 20_000_000 + Int64(random.number(below: 4000)) * 10_000)
    }
    for campaign in plan.all where campaign.days.contains(number) && campaign.number % 10 != 3 {
      let app = plan.apps[campaign.app]
      let installs = plan.installs(campaign, on: number) * (0.7 + 0.6 * random.fraction())
      let clicks = Int64(installs * 9) + 1
      rows.append(
        SpendRow(
          day: plan.day(number), network: plan.networks[campaign.network],
          campaign: campaign.network % 3 == 2 ? campaign.name : campaign.digits, app: app.id.number,
          currency: campaign.network % 4 == 1 ? "USD" : app.currency.text,
          micros: max(1, Int64(Double(campaign.cost) * installs) / 10_000) * 10_000,
          impressions: clicks * 60, clicks: clicks))
    }
    return rows
  }
}
