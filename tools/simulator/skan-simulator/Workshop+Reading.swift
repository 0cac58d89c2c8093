import Ledger
import Postbacks
import SQLite
import System
import Values
import Verification

/// What pages and `skan doctor` read of databases.
extension Workshop {
  /// Reads as those who see a part alone: the parts add up to the whole.
  func readLimited() throws {
    let apps = [AppID(525_463_029), AppID(1_176_027_022)].compactMap(\.self)
    let networks = try LedgerReader(path: path).networksThatSent().compactMap { AdNetworkID($0) }
    let whole = try figures(.none)
    let unknown = [AdNetworkID("unknown")].compactMap(\.self)
    note("postbacks of networks", try networks.reduce(0) { try $0 + figures(.init(networks: [$1])) }, whole)
    note("postbacks of apps", try apps.reduce(0) { try $0 + figures(.init(apps: [$1])) }, whole)
    note("postbacks of both", try figures(.init(apps: apps, networks: networks)), whole)
    note("postbacks of an unknown network", try figures(.init(networks: unknown)), 0)
  }

  /// The production postbacks that a reader sees, after it has asked for all else.
  private func figures(_ limit: ReadLimit) throws -> Int {
    let reader = try LedgerReader(path: path, limit: limit)
    let today = terminal.node.clock().day
    var postbacks: Set<Int> = []
    for dimensions: [CampaignDimension] in [
      [], [.app, .network, .campaign], [.day, .version, .window], [.week, .outcome, .interaction],
      [.month, .publisher], [.country, .marketplace, .tier],
    ] {
      for blocks in [nil, 0] {
        reader.blocksBeforeHelp = blocks
        let rows = try reader.campaigns(CampaignQuery(dimensions: dimensions))
        postbacks.insert(rows.reduce(0) { $0 + Int($1.counts.postbacks) })
      }
    }
    note("groupings of postbacks", postbacks.count, 1)
    try search(reader, all: postbacks.first ?? 0)
    var place: SpendRowPlace?
    var spend = 0
    while true {
      var last: SpendRow?
      try reader.forEachSpend(SpendSelection(), behind: place) { row in
        last = row
        return false
      }
      guard let last else { break }
      place = SpendRowPlace(SpendRowPlace(last).description)
      spend += 1
    }
    note("rows of spend", spend, try reader.importedCount(.spend))
    note("counted spend", try reader.spendCount(SpendSelection()), spend)
    var choice = ConversionChoice()
    for campaign in [nil, "17", "nothing"] {
      choice.campaign = campaign
      let day = try reader.lastDay(of: choice, until: today)
      if campaign == "nothing" { note("a last day of no campaign", day == nil ? 0 : 1, 0) }
    }
    return postbacks.first ?? 0
  }

  /// Looks for postbacks as the page of evidence does.
  private func search(_ reader: LedgerReader, all: Int) throws {
    var search = PostbackSearch(PostbackQuery())
    let rows = try reader.newestPostbacks(search, atMost: .max)
    note("newest postbacks", rows.count, all)
    let before = rows.dropFirst(rows.count / 2).first?.row
    note(
      "postbacks before", try reader.newestPostbacks(search, before: before, atMost: .max).count,
      before == nil ? all : all - rows.count / 2 - 1)
    var found = 0
    for outcome in Outcome.allCases {
      search.outcome = outcome
      found += try reader.newestPostbacks(search, atMost: .max).count
    }
    note("postbacks by outcome", found, all)
    search.outcome = nil
    found = 0
    for window in [ConversionWindow.first, .second, .third] {
      search.window = window
      found += try reader.newestPostbacks(search, atMost: .max).count
    }
    note("postbacks by window", found, all)
    search.window = nil
    (search.campaign, search.digits, search.value) = ("39", 2, .absent)
    let shortened = try reader.newestPostbacks(search, atMost: .max)
    note("postbacks of other digits", shortened.count { !$0.campaign.hasSuffix("39") }, 0)
  }

  /// Examines the copy, and one of it whose bodies are spoiled.
  func examine(_ keyring: Keyring) throws {
    let health = try LedgerReader(path: path).examine(rereadsBodies: true)
    note("contradictions", health.damage.count + health.contradictions.count, 0)
    note("conversions counted", Int(health.conversions.counted), Int(health.conversions.stored))
    note("faulty bodies", try LedgerReader(path: path).examineBodies(by: keyring).faulty, 0)
    let other = folder + "/spoiled.db"
    try LedgerUpkeep(path: path).copy(to: other)
    for (number, damage) in Self.bodyDamages.enumerated() {
      let connection = try Connection(path: other, mode: .readWrite)
      try connection.execute("UPDATE \(damage.replacing("ROW", with: Self.row))")
      let found = try LedgerReader(path: other).examineBodies(by: keyring)
      note("faulty bodies after \(damage)", found.faulty, number + 1)
    }
  }

  /// Examines a copy whose totals and rows are spoiled.
  func contradict() throws {
    let health = try LedgerReader(path: path).examine(rereadsBodies: true)
    note("whether something contradicts", min(health.contradictions.count, 1), 1)
    note("wrong totals", min(health.wrongTotals, 5), 5, health.contradictions.joined(separator: "; "))
    try LedgerUpkeep(path: path).tryWriting()
    let old = try LedgerUpkeep(path: path).countOldBodies(before: terminal.node.clock())
    note("old bodies", old.rejected > 0 ? 1 : 0, 1)
  }

  /// Each spoils one row more; ROW is one without a copy, which would be faulty too.
  private static let bodyDamages = [
    "postback SET environment = 2 WHERE id = (ROW 0)",
    "postback SET fingerprint = fingerprint + 1 WHERE id = (ROW 1)",
    "postback SET received_at = received_at + 1 WHERE id = (ROW 2)",
    "postback SET body = x'7b' WHERE id = (ROW 3)",
    "postback_copy SET conflict = 'app' WHERE id = (SELECT max(id) FROM postback_copy WHERE body <> '')",
    "rejected SET digest = digest + 1 WHERE id = (SELECT max(id) FROM rejected)",
    "mapping_version SET digest = 'x' WHERE id = (SELECT max(id) FROM mapping_version)",
    "network_form SET digest = digest + 1 WHERE (kind, row) = (SELECT kind, max(row) FROM network_form)",
  ]
  private static let row =
    "SELECT id FROM postback WHERE id NOT IN (SELECT postback FROM postback_copy) ORDER BY id LIMIT 1 OFFSET"
}
