import JSONText
import Mappings
package import Postbacks
package import Values

/// A ready-made mapping to begin with; the raw value is its word.
package enum MappingModel: String, CaseIterable, Sendable {
  case revenue
  case revenueByDay = "revenue-by-day"
  case subscription
  case funnel
  case adsAndPurchases = "ads-and-purchases"
  case retention

  /// The document as it is in the program: app 1, US dollars, SKAdNetwork 4.
  package var template: [UInt8] {
    switch self {
    case .revenue: PackageResources.revenue_json
    case .revenueByDay: PackageResources.revenue_by_day_json
    case .subscription: PackageResources.subscription_json
    case .funnel: PackageResources.funnel_json
    case .adsAndPurchases: PackageResources.ads_and_purchases_json
    case .retention: PackageResources.retention_json
    }
  }

  /// The mapping with the currency, the protocol and the date of another document, as far as that has them.
  ///
  /// Amounts are the same in every currency: they are there to be changed.
  ///
  /// - Parameters:
  ///   - keepsDate: Whether the date is kept too; else, and without one, it is tomorrow.
  package func document(
    inPlaceOf other: [UInt8], app: AppID, now: Instant, keepsDate: Bool = true
  ) -> [UInt8] {
    let head = (try? JSONReader.read(other, allowingDuplicates: true))?.value.object
    func word(_ name: String) -> String? { head?[name]?.value.string }
    let device = word("protocol").flatMap { Mapping.Device(rawValue: $0) } ?? .skan4
    let currency = word("currency").flatMap { CurrencyCode(anyCase: $0) }
    let date = keepsDate ? word("effective-from") : nil
    let members: [(String, JSONOutput)] = [
      ("app", .integer(app.number)), ("currency", .string(currency?.text ?? "USD")),
      ("effective-from", .string(date ?? "\(now.day.next)")), ("protocol", .string(device.rawValue)),
    ]
    var edits = members.map { JSONEdit.set(JSONPath.root.member($0), $1) }
    // SKAdNetwork 3 has one window, and no coarse values.
    if !device.hasWindows { edits.append(.remove(JSONPath.root.member("coarse"))) }
    return JSONEdit.apply(edits, to: template) ?? template
  }
}
