import JSONText
import Postbacks
import Values

// Rules of different conversion types never meet, so each type is checked as a mapping of its own.

extension MappingCheck {
  mutating func checkTypes() {
    checkForeignTypes()
    let types = mapping.device.conversionTypes.filter { !document.restricted(to: $0).mapping.hasNoRules }
    let reached = types.map { (type: $0, rules: reachedRules(of: $0)) }
    let checks = types.map { type -> (ConversionType, [MappingFinding]) in
      let others = reached.reduce(into: Set<Int>()) { if $1.type != type { $0.formUnion($1.rules) } }
      let places = mapping.fineRules(for: type)
      var check = MappingCheck(
        document.restricted(to: type), log: log.cleared, now: now, type: type,
        reachedElsewhere: Set(places.indices.filter { others.contains(places[$0]) }))
      check.checkRules()
      return (type, check.log.findings)
    }
    for (type, findings) in checks {
      for finding in findings where !log.findings.contains(finding) {
        // A finding that applies to every type with rules is reported once, without the type.
        let isCommon = checks.allSatisfy { $0.1.contains(finding) }
        log.add(isCommon ? finding : finding.of(type))
      }
    }
  }

  private func reachedRules(of type: ConversionType) -> [Int] {
    var check = MappingCheck(document.restricted(to: type), log: log.cleared, now: now, type: type)
    check.checkReach()
    return mapping.fineRules(for: type).enumerated().filter { !check.unreachable.contains($0.offset) }
      .map(\.element)
  }

  /// SKAdNetwork has no re-engagements.
  private mutating func checkForeignTypes() {
    let types = mapping.device.conversionTypes
    var reported: Set<JSONPath> = []
    for (conditions, place) in everyCondition
    where !types.contains(where: conditions.conversionTypes.contains) && reported.insert(place.path).inserted
    {
      log.report(
        .withoutEffect, place,
        Sentence("\(code: mapping.device.rawValue) has no re-engagements, so that this rule never applies"),
        hint: Sentence("Set \"protocol\" to \"aak\", or delete the rule."),
        repair: MappingRepair(
          Sentence("Set the protocol to aak"), [.set(JSONPath.root.member("protocol"), .string("aak"))]))
    }
  }
}

extension Mapping {
  fileprivate var hasNoRules: Bool { fine.isEmpty && coarse.values.allSatisfy(\.rules.isEmpty) }

  fileprivate func fineRules(for type: ConversionType) -> [Int] {
    fine.indices.filter { fine[$0].conditions.conversionTypes.contains(type) }
  }
}

extension MappingDocument {
  fileprivate func restricted(to type: ConversionType) -> MappingDocument {
    func isIncluded(_ conditions: Conditions) -> Bool { conditions.conversionTypes.contains(type) }
    let kept = mapping.fineRules(for: type)
    var coarse: [ConversionWindow: CoarseRules] = [:]
    var places: [ConversionWindow: [Place]] = [:]
    for (window, rules) in mapping.coarse {
      let pairs = zip(rules.rules, coarsePlaces[window] ?? []).filter { isIncluded($0.0.conditions) }
      guard !pairs.isEmpty || rules.rules.isEmpty else { continue }
      coarse[window] = CoarseRules(totals: rules.totals, rules: pairs.map(\.0.forAllTypes))
      places[window] = pairs.map(\.1)
    }
    let part = Mapping(
      name: mapping.name, app: mapping.app, currency: mapping.currency,
      effectiveFrom: mapping.effectiveFrom, device: mapping.device, isRaiseOnly: mapping.isRaiseOnly,
      measurementWindowHours: mapping.measurementWindowHours, precedence: mapping.precedence,
      partners: mapping.partners, declaredEvents: mapping.declaredEvents,
      fine: kept.map { mapping.fine[$0].forAllTypes }, coarse: coarse)
    return MappingDocument(
      mapping: part, finePlaces: kept.map { finePlaces[$0] }, coarsePlaces: places, root: root,
      memberPlaces: memberPlaces)
  }
}

extension MappingFinding {
  fileprivate func of(_ type: ConversionType) -> MappingFinding {
    MappingFinding(
      code: code, position: position, path: path,
      sentence: type == .install
        ? Sentence("for installs: \(sentence)") : Sentence("for re-engagements: \(sentence)"),
      hint: hint, slot: slot, repair: repair)
  }
}
