import JSONText
import MappingFormats
import Mappings
import Postbacks
import Values

extension FuzzTarget {
  /// Mapping files: what is read and written again reads as the same, every value decodes, and every format lists
  /// exactly what it loses.
  static let mapping = FuzzTarget("mapping", dictionary: jsonWords + mappingWords) { bytes in
    let reading = MappingDocument.check(bytes)
    try law(reading.findings.count <= 201, "findings are bounded")
    for finding in reading.findings {
      try law(finding.sentence.english.utf8.count <= 4_000, "a sentence is short: \(finding.code.text)")
    }
    let plain = MappingDocument.read(bytes)
    try law(plain.document == reading.document, "checks change no mapping")
    guard let mapping = reading.document?.mapping else {
      return try law(reading.findings.contains { $0.severity == .error }, "whatever is rejected has an error")
    }
    try checkMapping(mapping, bytes.count)
    let format = MappingFormat.allCases[bytes.count % MappingFormat.allCases.count]
    if format != .skan { try checkExport(mapping, format) }
  }

  /// Other systems' formats: what is read is a mapping of ours, and writing it lists exactly what it loses.
  static let formats = FuzzTarget("formats", dictionary: jsonWords + mappingWords + formatWords) { bytes in
    guard let app = AppID(525_463_029), let currency = CurrencyCode("USD") else { return }
    let context = ImportContext(
      name: "m", app: app, currency: currency, effectiveFrom: Instant(seconds: 1_767_225_600),
      device: bytes.count % 3 == 0 ? .skan3 : .skan4)
    for format in MappingFormat.allCases where format != .skan {
      let imported: ImportedMapping
      do throws(FormatDefect) { imported = try ForeignMapping(bytes, format).mapping(context) } catch {
        try law(error.sentence.english.utf8.count <= 4_000, "a message is short: \(format)")
        continue
      }
      try law(imported.remarks.count <= 1_000, "remarks are bounded")
      do {
        try checkMapping(imported.mapping, bytes.count)
        try checkExport(imported.mapping, format)
      } catch { throw LawBroken("read as \(format): \(error)") }
    }
  }

  private static func checkMapping(_ mapping: Mapping, _ size: Int) throws {
    let text = mapping.json.bytes()
    try law(text.count <= 1_000 * size + (1 << 20), "a mapping is bounded by its file: \(text.count)")
    let again = MappingDocument.check(text)
    let errors = again.findings.filter { $0.severity == .error }
    guard let read = again.document else { throw LawBroken("a written mapping is rejected: \(errors)") }
    try law(read.mapping == mapping, "a mapping that is written reads as the same")
    try law(read.mapping.json.bytes() == text, "the same mapping gives the same text")
    try law(
      mapping.changes(from: mapping).allSatisfy { $0.kind == .kept },
      "nothing changes from a mapping to itself")
    for slot in WindowValue.all {
      guard case .rules(let rules) = mapping.meaning(of: slot) else { continue }
      try law(!rules.isEmpty, "a value that is used has a rule")
      for estimate in rules.flatMap(\.revenue) {
        let (low, high) = (estimate.low ?? estimate.representative, estimate.high ?? estimate.representative)
        try law(low <= high, "an estimate's low end is not above its high end")
        try law(
          (low...high).contains(estimate.representative), "a representative lies in its range: \(estimate)")
      }
    }
    try checkReplay(mapping)
  }

  /// Plays a user through the mapping: nothing traps, and postbacks come in the order of windows.
  private static func checkReplay(_ mapping: Mapping) throws {
    var events: [UserEvent] = []
    for (index, name) in mapping.eventNames.sorted().prefix(20).enumerated() {
      let money = Money(Amount(micros: index % 4 == 3 ? .max : Int64(index) * 1_500_000), mapping.currency)
      let seconds = Int64(index) * Int64(index) * 5_000
      events.append(UserEvent(secondsSinceInstall: seconds, name: name, revenue: money))
      events.append(UserEvent(secondsSinceInstall: seconds, name: name))
    }
    let replay = mapping.replay(events)
    for (earlier, later) in zip(replay.postbacks, replay.postbacks.dropFirst()) {
      try law(earlier.window < later.window, "postbacks come in the order of windows")
    }
    for postback in replay.postbacks {
      try law(postback.sendEarliest <= postback.sendLatest, "a postback is sent within a span")
    }
  }

  /// Writes in a format and reads again.
  private static func checkExport(_ mapping: Mapping, _ format: MappingFormat) throws {
    let context = ExportContext(cap: Amount(micros: 1 << 40))
    let file: ExportedMapping
    do throws(ExportDefect) { file = try format.export(mapping, context) } catch {
      return try law(error.code != .openTop, "a cap closes every range")
    }
    let read: Mapping
    do {
      read = try ForeignMapping(file.bytes, format).mapping(
        ImportContext(
          name: mapping.name, app: mapping.app, currency: mapping.currency,
          effectiveFrom: mapping.effectiveFrom, device: mapping.device)
      ).mapping
    } catch { throw LawBroken("\(format) cannot read what it wrote: \(error)") }
    try law(read == file.mapping, "\(format) reads what it says it wrote")
    let isChanged = file.remarks.contains { $0.code.changesMapping }
    try law((file.mapping == mapping) != isChanged, "\(format) says whether the mapping is changed")
    let second = try format.export(file.mapping, context)
    try law(second.bytes == file.bytes, "\(format) writes what is left without further loss")
  }

  private static let mappingWords = [
    "name", "app", "currency", "effective-from", "protocol", "skan3", "skan4", "aak", "raise-only",
    "measurement-window-hours", "precedence", "highest-value", "list-order", "priority", "partners", "meta",
    "appsflyer", "declared-events", "earliest-hours", "fine", "coarse", "grid", "value", "label", "events",
    "revenue", "active-hours", "conversion-types", "install", "re-engagement", "from", "to", "includes-from",
    "includes-to", "low", "representative", "high",
    "count", "min", "max", "lock", "window", "totals", "USD", "EUR", "JPY", "525463029",
    "2026-01-01T00:00:00Z", "{\"name\":\"e\"}", "{\"from\":1,\"to\":2}",
  ]

  private static let formatWords = [
    "data", "rules", "conversion_value", "event_name", "values", "amount", "min_event_count",
    "conversionValue",
    "eventRangeMappings", "minValue", "maxValue", "coarseGrainedValue", "lockEnabled", "window_1", "window_2",
    "ios_app_id", "schema", "postback_sequence_index", "counter_range", "start", "end", "HIGH", "MEDIUM",
    "LOW",
    "af_purchase", "skan_conversion_value", ";", ",",
  ]
}
