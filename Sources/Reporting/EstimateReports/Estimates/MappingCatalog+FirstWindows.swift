import Ledger
import MappingLibrary
import Mappings
import Postbacks

extension MappingCatalog {
  /// Winning first-window postbacks by campaign, hour of arrival, and value as far as its meaning differs.
  func firstWindowCounts(
    _ query: CampaignQuery, digits: Int?, from reader: LedgerReader, by traits: [CampaignDimension] = []
  ) throws(LedgerError) -> FirstWindowCounts {
    try reader.firstWindowCounts(
      query, digits: digits, decodingFor: apps, hourly: hourlyDays(query.environment.timers), by: traits)
  }

  /// The expectation of a kind; `nil` for an app without a mapping.
  func expectation(of kind: FirstWindowKind, _ timers: DeviceTimers) -> Expectation? {
    guard let history = histories[kind.app], let arrival = kind.arrival else { return nil }
    return history.expectation(
      of: kind.value, version: kind.version, window: .first, timers: timers, arrival: arrival,
      type: kind.outcome.conversionType)
  }
}
