package import Ledger
package import Postbacks

/// The names that networks sent beside their newest postbacks, for campaigns without an imported one.
///
/// Apple signs none of them, so that a page has to mark them.
package struct RecentSentNames: Sendable {
  private struct Place: Hashable {
    let network: String
    /// The last two digits, which all forms of a source identifier have in common.
    let ending: Substring
  }

  private struct Named {
    let digits: String
    let app: Int64
    /// `nil` where networks sent several.
    let name: String?
  }

  /// Conversions that are looked at, so that a page waits for some hundredths of a second at most.
  private static let conversions: Int64 = 5000

  private var named: [Place: [Named]] = [:]

  /// Reads what was sent of the newest conversions.
  package init(of environment: Environment, from reader: LedgerReader) throws(LedgerError) {
    let sent = try SentNames(
      PostbackQuery(environment: environment), from: reader, ofNewest: Self.conversions, reading: .max)
    for (campaign, names) in sent.campaigns {
      let place = Place(network: campaign.network, ending: campaign.digits.suffix(2))
      named[place, default: []].append(
        Named(digits: campaign.digits, app: campaign.app, name: names.count == 1 ? names.first?.name : nil))
    }
  }

  /// The only name that networks sent for a campaign; `nil` where they sent none or several.
  ///
  /// - Parameters:
  ///   - network: The network, in lower case.
  ///   - digits: The campaign's digits; fewer stand for all campaigns that end with them.
  ///   - apps: The apps; none for all.
  package func name(network: String, digits: String, apps: Set<Int64>) -> String? {
    let fitting = (named[Place(network: network, ending: digits.suffix(2))] ?? []).filter {
      (apps.isEmpty || apps.contains($0.app)) && $0.digits.hasSuffix(digits)
    }
    let exact = fitting.filter { $0.digits == digits }
    let names = Set((exact.isEmpty ? fitting : exact).map(\.name))
    return names.count == 1 ? names.first ?? nil : nil
  }
}

extension CampaignTable.Line {
  /// The same with the name that networks sent for its campaign, where it has no imported one.
  func named(by sent: RecentSentNames) -> Self {
    guard case .unknown = name, let row, let network = row.network, let digits = row.campaign?.text,
      let app = row.app, let found = sent.name(network: network, digits: digits, apps: [app.number])
    else { return self }
    var line = self
    line.change { $0.sentName = found }
    return line
  }
}
