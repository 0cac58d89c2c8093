import Estimates
import Ledger
import MappingLibrary
import Mappings
import MeasuredUsers
import Postbacks

/// What the values of every version of every mapping are worth.
struct MappingWorths: Sendable {
  private var worths: [InstallCells.Scheme: MappingWorth] = [:]
  /// Of how many campaigns the own users of a version are at most who show how far users of a value differ.
  private(set) var ownCampaigns = 0
  /// Whether what own users paid adds up to more than the largest amount somewhere.
  private(set) var didSaturate = false
  private var horizons: [InstallCells.Scheme: Set<WorthHorizon>] = [:]

  init(
    _ catalog: MappingCatalog, _ rows: [ValueWorthRow], within: [WithinValueRow], horizon: WorthHorizon,
    event: String?
  ) {
    for (app, history) in catalog.histories {
      for (version, mapping) in history.versions.enumerated() {
        let own = rows.filter { $0.app == app && $0.effectiveFrom == mapping.effectiveFrom }
        let within = WithinValueLaw(
          within.filter {
            $0.app == app && $0.effectiveFrom == mapping.effectiveFrom && $0.horizon == horizon
          })
        ownCampaigns = max(ownCampaigns, within.groups)
        didSaturate = didSaturate || own.contains { $0.horizon == horizon && $0.didSaturate }
        let types: [ConversionType?] = mapping.isByConversionType ? ConversionType.allCases + [nil] : [nil]
        for type in types {
          let scheme = InstallCells.Scheme(app: app, version: version, type: type)
          // Own users came by an install; they do not show what a re-engagement's value is worth.
          let own = type == .reengagement ? [] : own
          worths[scheme] = MappingWorth(
            mapping, type: type, own: own, within: within, horizon: horizon, event: event)
          horizons[scheme] = Set(own.map(\.horizon))
        }
      }
    }
  }

  /// `nil` where no own user is known for the horizon.
  subscript(scheme: InstallCells.Scheme) -> MappingWorth? { worths[scheme] }

  /// Whether own users of any mapping version of these apps, or of all if there are none, are known for the horizon.
  func knowHorizon(of apps: [AppID]) -> Bool {
    worths.keys.contains { apps.isEmpty || apps.contains($0.app) }
  }

  /// The days since install for which own users are known.
  func horizons(of scheme: InstallCells.Scheme) -> [Int] {
    (horizons[scheme] ?? []).compactMap { if case .days(let days) = $0 { days } else { nil } }.sorted()
  }
}
