import Campaigns
import Estimates
import Ledger
import MappingLibrary
import Mappings
import Postbacks
import Values

extension PlanEvidence {
  /// Days of install that later windows are looked at for.
  private static let laterDays: Int32 = 28

  /// What windows 2 and 3 show of events that no earlier window counts, of the last installs whose windows are complete.
  static func later(
    _ mappings: [Mapping], _ scope: Scope, from reader: LedgerReader, now: Instant
  ) throws(LedgerError) -> [PlanQuestion.LaterWindow] {
    let events = mappings.map { ($0.app, $0.eventsOfLaterWindows) }.filter { !$0.1.isEmpty }
    guard !events.isEmpty else { return [] }
    let counted = try reader.campaigns(
      CampaignQuery(
        environment: scope.environment, apps: events.map(\.0), networks: scope.networks,
        dimensions: [.day, .app, .version, .window]),
      decodingFor: []
    ) { _, _ in }
    let rows = counted.rows.filter { $0.version?.hasWindows ?? false }
    return events.flatMap { app, windows in
      windows.map { window, events in
        let late = Int32(CohortReport.daysToArrive(window).upperBound + 1)
        let days = Day(number: now.day.number - late - laterDays)..<Day(number: now.day.number - late)
        func sum(_ window: ConversionWindow, _ count: (CampaignRow) -> Int64) -> Double {
          rows.reduce(0) { sum, row in
            guard row.app == app, row.window == window, let arrival = row.day else { return sum }
            let isOfDays = days.contains(CohortReport.installDay(of: arrival, window))
            return sum + (isOfDays ? Double(count(row)) : 0)
          }
        }
        return PlanQuestion.LaterWindow(
          app: app.number, window: window.rawValue + 1, events: events,
          installs: sum(.first) { $0.counts.installs + $0.counts.redownloads },
          shown: sum(window) { row in CoarseValue.allCases.reduce(0) { $0 + row.counts.coarse($1) } })
      }
    }
  }
}

extension Mapping {
  /// The events that only rules of window 2, or of window 3, have.
  fileprivate var eventsOfLaterWindows: [(window: ConversionWindow, events: [String])] {
    guard device.hasWindows else { return [] }
    func names(_ conditions: [Conditions]) -> Set<String> {
      Set(conditions.flatMap { $0.events.map(\.name) })
    }
    var known = names(fine.map(\.conditions))
    return ConversionWindow.allCases.compactMap { window in
      let own = names((coarse[window]?.rules ?? []).map(\.conditions)).subtracting(known)
      known.formUnion(own)
      return window == .first || own.isEmpty ? nil : (window, own.sorted())
    }
  }

  /// Whether a small group of SKAdNetwork 4 or AdAttributionKit can show no value of window 1 at all.
  var hasNoCoarseValue: Bool {
    device.hasWindows && (coarse[.first]?.rules ?? []).isEmpty && fine.allSatisfy { $0.coarse == nil }
  }
}
