package import Ledger
import Values

/// The spend of some days and an environment that was read once for several looks at it, without what it delivered.
///
/// A campaign has a piece of spend for each day, so a piece is a few bytes, and what names its campaign is there once.
package struct HeldSpend: SpendSource {
  package typealias Failure = Never

  private struct Piece {
    let campaign: UInt32
    let day: Day
    let micros: Int64
  }

  /// A row of each campaign, by app and currency.
  private var campaigns: [SpendRow] = []
  private var pieces: [Piece] = []
  private let isKnown: Bool

  /// Reads the spend of a question's days, whatever network and app it is of.
  package init<Source: SpendSource>(_ source: Source, for query: CampaignQuery) throws(Source.Failure) {
    var (campaigns, pieces) = ([SpendRow](), [Piece]())
    var numbers: [PaidCampaignKey: UInt32] = [:]
    // The campaign that came next when the one before came last, as most days have the same in the same order.
    var (next, last) = ([UInt32](), 0)
    try source.forEachSpend(of: query) { paid in
      var number = last < next.count ? next[last] : 0
      if campaigns.isEmpty || !PaidCampaignKey(campaigns[Int(number)]).isOf(paid) {
        let key = PaidCampaignKey(paid)
        number = numbers[key] ?? UInt32(campaigns.count)
        if Int(number) == campaigns.count {
          numbers[key] = number
          campaigns.append(paid)
          next.append(0)
        }
        next[last] = number
      }
      last = Int(number)
      pieces.append(Piece(campaign: number, day: paid.day, micros: paid.micros))
      return true
    }
    isKnown = pieces.isEmpty ? try source.hasSpend(of: query) : true
    (self.campaigns, self.pieces) = (campaigns, pieces)
  }

  package func forEachSpend(of query: CampaignQuery, _ body: (SpendRow) -> Bool) {
    for piece in pieces {
      let campaign = campaigns[Int(piece.campaign)]
      let row = SpendRow(
        day: piece.day, network: campaign.network, campaign: campaign.campaign, app: campaign.app,
        currency: campaign.currency, micros: piece.micros, environment: campaign.environment)
      guard body(row) else { return }
    }
  }

  package func hasSpend(of query: CampaignQuery) -> Bool { isKnown }
}
