import JSONText
import Postbacks
import Values

/// Reads a mapping file from top to bottom.
struct DocumentReader {
  var log: FindingLog
  private(set) var root: JSONNode?
  private var fine: [FineRule] = []
  private var finePlaces: [Place] = []
  private var coarse: [ConversionWindow: CoarseRules] = [:]
  private var coarsePlaces: [ConversionWindow: [Place]] = [:]

  init(_ bytes: [UInt8]) { log = FindingLog(bytes.count <= MappingDocument.largestFile ? bytes : []) }

  mutating func read(_ bytes: [UInt8]) -> MappingDocument? {
    guard bytes.count <= MappingDocument.largestFile else {
      log.report(
        .fileTooLarge, Place(offset: 0, path: .root),
        Sentence("the file is larger than \(MappingDocument.largestFile) bytes"))
      return nil
    }
    let root: JSONNode
    do {
      root = try JSONReader.read(bytes)
    } catch {
      let diagnosis = error.diagnosis(in: bytes)
      log.report(
        .json(error.reason), Place(offset: error.offset, path: error.path),
        Sentence("the file is not JSON: \(diagnosis: diagnosis.sentence)"),
        hint: diagnosis.cure.map { Sentence("\(diagnosis: $0)") })
      return nil
    }
    self.root = root
    return document(JSONPlace(root))
  }

  private mutating func document(_ root: JSONPlace) -> MappingDocument? {
    guard let members = log.members(root, .mapping) else { return nil }
    if let schema = members["$schema"] { _ = log.text(schema) }
    let name = log.text(members["name"])
    let app = log.integer(members["app"], in: 0...Int64.max).flatMap { AppID($0) }
    let currency = log.currency(members["currency"])
    let effectiveFrom = log.instant(members["effective-from"])
    let device: Mapping.Device? = log.word(members["protocol"])
    let isRaiseOnly = raiseOnly(members["raise-only"], device)
    let hours = measurementWindow(members["measurement-window-hours"], device)
    let precedence: Mapping.Precedence = log.word(members["precedence"]) ?? .highestValue
    let partners: [Mapping.Partner] = log.list(members["partners"]) { $0.word($1) }
    log.rejectRepeats(partners.map(\.rawValue), members["partners"])
    let events = log.list(members["declared-events"]) { $0.declaredEvent($1) }
    log.rejectRepeats(events.map(\.name), members["declared-events"])

    // A currency that can't be read is reported once, not again for each amount.
    let assumed = currency ?? CurrencyCode("USD")
    readFine(members["fine"], currency: assumed)
    readGrids(members["grids"], currency: assumed)
    readCoarse(members["coarse"], currency: assumed)
    rejectTwoSources()

    guard log.count == 0, let name, let app, let currency, let effectiveFrom, let device else { return nil }
    let mapping = Mapping(
      name: name, app: app, currency: currency, effectiveFrom: effectiveFrom, device: device,
      isRaiseOnly: isRaiseOnly, measurementWindowHours: hours, precedence: precedence, partners: partners,
      declaredEvents: events, fine: fine, coarse: coarse)
    var places: [String: Place] = [:]
    for member in members.object.members { places[member.name] = members[member.name]?.place }
    return MappingDocument(
      mapping: mapping, finePlaces: zip(finePlaces, fine).map { $0.of(.fine($1.value)) },
      coarsePlaces: coarsePlaces.reduce(into: [:]) { all, window in
        all[window.key] = zip(window.value, coarse[window.key]?.rules ?? []).map {
          $0.of(.coarse(window.key, $1.value))
        }
      }, root: root.place, memberPlaces: places)
  }

  private mutating func raiseOnly(_ at: JSONPlace?, _ device: Mapping.Device?) -> Bool {
    guard let at, let truth = log.truth(at) else { return false }
    if !truth, device == .skan3 {
      log.report(
        .outOfRange, at.place,
        Sentence("SKAdNetwork 3 only raises values; this must be true or omitted"))
    }
    return truth
  }

  private mutating func measurementWindow(_ at: JSONPlace?, _ device: Mapping.Device?) -> Int? {
    let most = device == .skan3 ? HourRange.longest : ConversionWindow.first.endHour
    let hint =
      device == .skan3
      ? nil
      : Sentence("SKAdNetwork 4 and AdAttributionKit set fine values in the first 48 hours only.")
    return log.integer(at, in: 1...Int64(most), hint: hint).map { Int($0) }
  }

  private mutating func readFine(_ at: JSONPlace?, currency: CurrencyCode?) {
    let rules = log.list(at) { log, element in
      log.rule(element, currency: currency).map { ($0, element.place) }
    }
    fine += rules.map(\.0)
    finePlaces += rules.map(\.1)
  }

  private mutating func readGrids(_ at: JSONPlace?, currency: CurrencyCode?) {
    let grids = log.list(at, atMost: 64) { log, element in
      log.grid(element, currency: currency).map { ($0, element.place) }
    }
    for (grid, place) in grids {
      let rules = grid.expanded() ?? []
      if let taken = rules.first(where: { rule in fine.contains { $0.sharesValue(with: rule) } }) {
        log.report(
          .valueTaken, place, Sentence("the grid defines value \(taken.value.number) a second time"),
          hint: Sentence(
            "The grid has the values \(grid.firstValue.number) through "
              + "\(Int(grid.firstValue.number) + grid.count - 1)."))
      }
      fine += rules
      finePlaces += rules.map { _ in place }
    }
  }

  private mutating func readCoarse(_ at: JSONPlace?, currency: CurrencyCode?) {
    let windows = log.list(at, atMost: 16) { log, element in log.members(element, .coarseWindow) }
    for members in windows {
      let number = log.integer(
        members["window"], in: 1...3,
        hint: Sentence(
          "Windows are 1, 2 and 3; Apple's postback-sequence-index 0, 1 and 2 are windows 1, 2 and 3."))
      let totals: CoarseRules.Totals = log.word(members["totals"]) ?? .sinceInstall
      var rules: [CoarseRule] = []
      var places: [Place] = []
      for value in CoarseValue.allCases {
        guard let at = members[value.rawValue] else { continue }
        // One rule, or an array of alternatives.
        for alternative in at.elements ?? [at] {
          guard rules.count < 512 else {
            log.report(.tooManyRules, at.place, Sentence("a window has at most 512 coarse rules"))
            break
          }
          guard let rule = log.coarseRule(alternative, value: value, currency: currency) else { continue }
          rules.append(rule)
          places.append(alternative.place)
        }
      }
      guard let number, let window = ConversionWindow(rawValue: Int(number) - 1) else { continue }
      guard coarse[window] == nil else {
        log.report(.repeatedName, members.at.place, Sentence("window \(number) is a duplicate"))
        continue
      }
      coarse[window] = CoarseRules(totals: totals, rules: rules)
      coarsePlaces[window] = places
    }
  }

  private mutating func rejectTwoSources() {
    guard let first = coarse[.first]?.rules else { return }
    let index = fine.firstIndex { rule in
      rule.coarse != nil
        && (first.isEmpty
          || first.contains { $0.conditions.conversionTypes.intersects(rule.conditions.conversionTypes) })
    }
    guard let index else { return }
    log.report(
      .twoCoarseSources, finePlaces[index],
      Sentence("coarse values of window 1 are either in the fine rules or in \"coarse\", not in both"))
  }
}

extension FindingLog {
  fileprivate mutating func declaredEvent(_ at: JSONPlace) -> DeclaredEvent? {
    if case .string = at.node.value { return text(at).map { DeclaredEvent(name: $0) } }
    guard let members = members(at, .declaredEvent) else { return nil }
    let hours = integer(members["earliest-hours"], in: 0...Int64(HourRange.longest)) ?? 0
    return text(members["name"]).map { DeclaredEvent(name: $0, earliestHours: Int(hours)) }
  }
}

extension Place {
  fileprivate func of(_ slot: WindowValue) -> Place { Place(offset: offset, path: path, slot: slot) }
}

extension FineRule {
  /// Whether another rule gives the same value to conversions of the same type.
  fileprivate func sharesValue(with other: FineRule) -> Bool {
    value == other.value && conditions.conversionTypes.intersects(other.conditions.conversionTypes)
  }
}
