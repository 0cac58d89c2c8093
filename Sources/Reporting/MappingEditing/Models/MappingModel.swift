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

  private var name: String? {
    (try? JSONReader.read(template))?.value.object?["name"]?.value.string
  }

  /// The mapping with the head of another document, as far as that has one: what is not about events and ranges.
  ///
  /// Amounts are the same in every currency: they are there to be changed.
  ///
  /// - Parameters:
  ///   - keepsHead: Whether the date and the name are kept too; else, and without one, the date is tomorrow. The name of
  ///     another model is not.
  package func document(
    inPlaceOf other: [UInt8], app: AppID, now: Instant, keepsHead: Bool = true
  ) -> [UInt8] {
    let head = (try? JSONReader.read(other, allowingDuplicates: true))?.value.object
    func word(_ name: String) -> String? { head?[name]?.value.string }
    let device = word("protocol").flatMap { Mapping.Device(rawValue: $0) } ?? .skan4
    let currency = word("currency").flatMap { CurrencyCode(anyCase: $0) }
    let date = keepsHead ? word("effective-from") : nil
    let members: [(String, JSONOutput)] = [
      ("app", .integer(app.number)), ("currency", .string(currency?.text ?? "USD")),
      ("effective-from", .string(date ?? "\(now.day.next)")), ("protocol", .string(device.rawValue)),
    ]
    var edits = members.map { JSONEdit.set(JSONPath.root.member($0), $1) }
    // What is not about events and ranges stays.
    let isOfModel = Self.allCases.contains { $0.name == word("name") }
    for name in ["name", "raise-only", "measurement-window-hours", "partners"]
    where keepsHead && !(name == "name" && isOfModel) {
      if let value = head?[name] { edits.append(.set(JSONPath.root.member(name), JSONOutput(value.value))) }
    }
    // SKAdNetwork 3 has one window, and no coarse values.
    if !device.hasWindows { edits.append(.remove(JSONPath.root.member("coarse"))) }
    return JSONEdit.apply(edits, to: template) ?? template
  }
}
