package import Campaigns
import Ledger
package import Postbacks
package import Values

/// What networks report beside what the database has, and why the two differ.
package struct TotalsReport: Sendable {
  package var period = Period<Day>()
  package var networks: [AdNetworkID] = []
  package var environment = Environment.production

  package init() {}

  /// A network's campaign, or a network in all.
  package struct Row: Sendable {
    /// The network, in lower case.
    package let network: String
    /// The campaign, as the network calls it; `nil` for the network in all.
    package let campaign: String?
    /// The days that the network reports; others are not compared.
    package let days: [Day]
    /// The network's installs.
    package let told: Int64
    /// Installs in the database on the same days; `nil` where it has never seen the campaign.
    package let installs: Int64?
    /// What the network reports beside installs; `nil` where it does not for each of the days.
    package let toldRedownloads: Int64?
    package let toldPostbacks: Int64?
    package let toldWithValue: Int64?
    /// Redownloads in the database; `nil` where it has never seen the campaign.
    package let redownloads: Int64?
    /// Conversions of every window and outcome in the database.
    package let postbacks: Int64?
    /// Winning conversions of the first window with a value in the database.
    package let withValue: Int64?
    /// Why the two differ, all that fit equally; none where they agree.
    package let candidates: [TotalsCandidate]
  }

  /// Compares the totals; what is late follows from the UTC day that it is.
  ///
  /// The rows are by network and campaign; a network in all comes after its campaigns.
  func compared(from reader: LedgerReader, today: Day) throws(LedgerError) -> [Row] {
    let wanted = Set(networks.map(\.canonical))
    var cells: [String: [CountableCell]] = [:]
    var known: [String: Set<String>] = [:]
    var names = CampaignNames([])
    let told = try reader.consistently { () throws(LedgerError) in
      let told = try reader.networkTotals(from: period.from, to: period.to).filter {
        wanted.isEmpty || wanted.contains($0.network)
      }
      guard let first = told.map(\.day).min(), let last = told.map(\.day).max() else { return told }
      let networks = Set(told.map(\.network))
      let margin = Int32(TotalsSearch.longestShift)
      let days = Day(number: first.number - margin)..<Day(number: last.number + margin + 1)
      try reader.forEachCountableCell(in: days, of: networks) { cells[$0.network, default: []].append($0) }
      known = try reader.knownCampaigns(of: networks)
      names = try CampaignNames.of(reader)
      return told
    }
    var rows: [Row] = []
    for (network, totals) in Dictionary(grouping: told, by: \.network).sorted(by: { $0.key < $1.key }) {
      let parts = CampaignParts(totals, names: names, cells: cells[network] ?? [])
      let knownHere = KnownCampaigns(known[network] ?? [])
      for campaign in parts.campaigns {
        let isKnown = parts.isKnown(campaign, in: knownHere)
        rows.append(
          Row(
            network, campaign, parts.totals[campaign] ?? [], parts.cells[campaign] ?? [], isKnown: isKnown,
            environment, today))
      }
      rows.append(
        Row(
          network, nil, parts.whole, cells[network] ?? [],
          listed: parts.campaigns.isEmpty || parts.hasOwnTotal ? nil : parts.listed,
          isKnown: known[network] != nil,
          environment, today))
    }
    return rows
  }
}

extension TotalsReport.Row {
  fileprivate init(
    _ network: String, _ campaign: String?, _ totals: [NetworkTotalRow], _ cells: [CountableCell],
    listed: [CountableCell]? = nil, isKnown: Bool, _ environment: Environment,
    _ today: Day
  ) {
    let told = Dictionary(totals.map { ($0.day, $0.installs) }, uniquingKeysWith: +)
    let search = TotalsSearch(
      told: told, cells: cells, listed: listed, environment: environment, today: today)
    func sum(_ part: KeyPath<NetworkTotalRow, Int64?>) -> Int64? {
      totals.reduce(0) { sum, row in
        guard let sum, let part = row[keyPath: part] else { return nil }
        return sum + part
      }
    }
    let counted = cells.filter { $0.kind == .conversion(environment) && told[$0.day] != nil }
    func count(_ isCounted: (CountableCell) -> Bool) -> Int64? {
      isKnown ? counted.reduce(0) { $0 + (isCounted($1) ? $1.count : 0) } : nil
    }
    self.network = network
    self.campaign = campaign
    days = told.keys.sorted()
    self.told = search.toldSum
    installs = isKnown ? search.sum([]) : nil
    toldRedownloads = sum(\.redownloads)
    toldPostbacks = sum(\.postbacks)
    toldWithValue = sum(\.withValue)
    redownloads = count { $0.window == .first && $0.outcome == .redownload }
    postbacks = count { _ in true }
    withValue = count { $0.window == .first && $0.outcome != .assist && $0.hasValue }
    candidates = isKnown ? search.candidates() : [TotalsCandidate([.unknownCampaign])]
  }
}

private struct CampaignParts {
  let campaigns: [String]
  let totals: [String: [NetworkTotalRow]]
  private(set) var cells: [String: [CountableCell]] = [:]
  /// The totals of the network: its own where it reports them, and else the sum of its campaigns.
  let whole: [NetworkTotalRow]
  /// Whether the network reports its own total, on any day.
  let hasOwnTotal: Bool
  private let digits: [String: String]
  private var byDigits: [String: [String]] = [:]
  private var endings = CampaignEndings<String>()

  init(_ rows: [NetworkTotalRow], names: CampaignNames, cells: [CountableCell]) {
    totals = Dictionary(grouping: rows.filter { !$0.campaign.isEmpty }, by: \.campaign)
    campaigns = totals.keys.sorted()
    let own = Set(rows.filter { $0.campaign.isEmpty }.map(\.day))
    hasOwnTotal = !own.isEmpty
    whole = rows.filter { $0.campaign.isEmpty || !own.contains($0.day) }
    var digits: [String: String] = [:]
    for (campaign, totals) in totals {
      if let row = totals.first {
        digits[campaign] = names.digits(of: campaign, network: row.network, app: nil, on: row.day)
      }
    }
    self.digits = digits
    for campaign in campaigns {
      guard let digits = digits[campaign] else { continue }
      byDigits[digits, default: []].append(campaign)
      endings.add(campaign, digits: digits)
    }
    var places: [String: String?] = [:]
    for cell in cells {
      let key = "\(cell.isSourceIdentifier) \(cell.campaign)"
      let place = places[key] ?? place(of: cell)
      places[key] = .some(place)
      if let place { self.cells[place, default: []].append(cell) }
    }
  }

  /// The campaign that a cell belongs to; `nil` where none fits, or several do.
  private func place(of cell: CountableCell) -> String? {
    let exact = byDigits[cell.campaign] ?? []
    if let only = exact.first { return exact.count == 1 ? only : nil }
    guard cell.isSourceIdentifier else { return nil }
    let fitting = endings.fitting(cell.campaign)
    return fitting.count == 1 ? fitting.first : nil
  }

  /// What belongs to a campaign on a day that the network reports.
  var listed: [CountableCell] {
    campaigns.flatMap { campaign in
      let days = Set((totals[campaign] ?? []).map(\.day))
      return (cells[campaign] ?? []).filter { days.contains($0.day) }
    }
  }

  func isKnown(_ campaign: String, in known: KnownCampaigns) -> Bool {
    digits[campaign].map(known.contains) ?? false
  }
}

private struct KnownCampaigns {
  private let digits: Set<String>
  private var endings = CampaignEndings<Void>()

  init(_ digits: Set<String>) {
    self.digits = digits
    for digits in digits { endings.add((), digits: digits) }
  }

  /// Whether a postback named these digits, or a longer or shorter form of them.
  func contains(_ wanted: String) -> Bool {
    digits.contains(wanted) || !endings.fittingPlaces(wanted).isEmpty
  }
}
