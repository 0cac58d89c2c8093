import Campaigns
import Markup
import Pages
import Postbacks
import Values

extension PageAddress {
  static let postbacksPath = "/postbacks"

  /// Leads to the postbacks behind a figure of this address: of some days, and of the same app and environment; nowhere for a
  /// viewer who may not see them.
  ///
  /// - Parameters:
  ///   - days: The days of the figure; the screen of postbacks has other ones by itself.
  ///   - filters: Further parameters; `nil` leaves one out that this address has.
  func postbacks(_ days: Range<Day>, _ filters: [(name: String, value: String?)]) -> PageAddress? {
    guard hasPostbacks else { return nil }
    let kept = moved(
      to: Self.postbacksPath, keeping: ["app", "network", "environment", "campaign", "digits", "window"]
    ).with("from", days.lowerBound.description).with("through", days.lastDay.description)
    return filters.reduce(kept) { $0.with($1.name, $1.value) }
  }

  /// Leads to the postbacks of a campaign; see ``postbacks(_:_:)``.
  ///
  /// - Parameter digits: How many last digits distinguish campaigns; `nil` for as many as postbacks have.
  func postbacks(
    of place: CampaignPlace, _ days: Range<Day>, digits: Int?,
    _ filters: [(name: String, value: String?)] = []
  ) -> PageAddress? {
    let campaign: [(name: String, value: String?)] = [
      ("app", place.app.map { "\($0.number)" }), ("network", place.network), ("campaign", place.digits),
      ("digits", digits.map { "\($0)" }),
    ]
    return postbacks(days, campaign + filters)
  }

  /// A number of postbacks as a link to them; see ``postbacks(_:_:)``.
  func count(
    _ count: Int64, _ days: Range<Day>, _ filters: [(name: String, value: String?)] = []
  ) -> HTML {
    guard count != 0, let target = postbacks(days, filters) else { return Marks.count(count) }
    return "<a href=\"\(target.text)\">\(Marks.count(count))</a>"
  }

  /// The address of one postback, in the environment of this address.
  func postback(_ identifier: String) -> PageAddress {
    moved(to: Self.postbacksPath + "/one", keeping: ["environment"]).with("id", identifier)
  }
}
