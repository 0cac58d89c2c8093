import JSONText
package import MappingDesign
package import Mappings
package import Postbacks
import Simulation
package import EventFiles
package import Values

/// The mapping that the designer makes for the users of a sample, as the text of a draft.
package struct MappingProposal: Sendable {
  package let mapping: Mapping
  /// How values were cut, such as `sqrt by day`.
  package let method: String
  /// How long fine values are set, in hours.
  package let windowHours: Int
  /// What the design can't be sure of, a sentence each.
  package let cautions: [String]

  package var document: [UInt8] { mapping.json.bytes(pretty: true) + [0x0A] }

  package struct Wish: Hashable, Sendable {
    package var name: String
    package var app: AppID
    package var currency: CurrencyCode
    package var effectiveFrom: Instant
    package var device: Mapping.Device
    /// The figure to estimate for each campaign: `day2`, `day3`, `day7`, `day35` or `event:NAME`.
    package var target: DesignTarget
    /// How many values there may be.
    package var values: Int
    package var settings: TrialSettings

    package init(
      name: String = "design", app: AppID, currency: CurrencyCode, effectiveFrom: Instant,
      device: Mapping.Device = .skan4, target: DesignTarget = .revenue(days: 7), values: Int = 60,
      settings: TrialSettings = TrialSettings()
    ) {
      self.name = name
      self.app = app
      self.currency = currency
      self.effectiveFrom = effectiveFrom
      self.device = device
      self.target = target
      self.values = values
      self.settings = settings
    }
  }

  /// Designs a mapping; `nil` where no user has data for the target, or the wish can't be met.
  ///
  /// AdAttributionKit has the windows of SKAdNetwork 4, so that a mapping for the one is made as for the other.
  package init?(_ wish: Wish, for sample: UserSample) {
    let device: Mapping.Device = wish.device == .skan3 ? .skan3 : .skan4
    guard
      var request = DesignRequest(
        name: wish.name, app: wish.app, currency: wish.currency, effectiveFrom: wish.effectiveFrom,
        device: device, target: wish.target, values: wish.values),
      let end = sample.cohorts.compactMap({ DesignUsers.end(of: $0) }).max()
    else { return nil }
    request.crowd = wish.settings.threshold
    request.seed = wish.settings.seed
    var users = DesignUsers(target: wish.target, currency: wish.currency)
    for cohort in sample.cohorts { users.add(cohort, until: end) }
    guard let report = DesignStudy(request, users, population: sample.users).run() else { return nil }
    mapping = report.mapping.on(wish.device)
    method = report.choice.description
    windowHours = report.windowHours
    cautions = report.cautions.map(\.sentence)
  }
}

extension Mapping {
  fileprivate func on(_ other: Device) -> Mapping {
    guard other != device else { return self }
    return Mapping(
      name: name, app: app, currency: currency, effectiveFrom: effectiveFrom, device: other,
      isRaiseOnly: isRaiseOnly, measurementWindowHours: measurementWindowHours, precedence: precedence,
      partners: partners, declaredEvents: declaredEvents, fine: fine, coarse: coarse)
  }
}
