package import EventFiles
package import MappingDesign
package import Mappings
import Postbacks
import Simulation
import Values

/// The mapping that the designer makes for the users of a sample.
package enum MappingProposal {
  /// Designs a mapping like another one in app, currency, protocol and date; `nil` where no user has data for the target.
  ///
  /// AdAttributionKit has the windows of SKAdNetwork 4, so that a mapping for the one is made as for the other.
  ///
  /// - Parameters:
  ///   - values: How many values there may be.
  package static func mapping(
    named name: String, like other: Mapping, for sample: UserSample,
    target: DesignTarget = .revenue(days: 7), values: Int = 60
  ) -> Mapping? {
    guard
      var request = DesignRequest(
        name: name, app: other.app, currency: other.currency, effectiveFrom: other.effectiveFrom,
        device: other.device == .skan3 ? .skan3 : .skan4, target: target, values: values),
      let end = sample.cohorts.compactMap({ DesignUsers.end(of: $0) }).max()
    else { return nil }
    request.crowd = .usual
    request.seed = 1
    var users = DesignUsers(target: target, currency: other.currency)
    for cohort in sample.cohorts { users.add(cohort, until: end) }
    return DesignStudy(request, users, population: sample.users).run()?.mapping.on(other.device)
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
