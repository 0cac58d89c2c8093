public import JSONText
import Postbacks
public import Values

extension Mapping {
  /// The number of the form of ``appDocument(digest:next:)``, which changes with any change of its members.
  static let appDocumentFormat: Int64 = 1

  /// The mapping as apps get it: what a device needs to set values, without labels and worths, amounts in millionths.
  ///
  /// The module `SkanMapping` reads it, and `schemas/app-mapping.schema.json` describes it. The same mapping gives the
  /// same text.
  ///
  /// - Parameters:
  ///   - digest: The SHA-256 of the published document in hexadecimal digits, by which devices know the version.
  ///   - next: When the next version comes into force, and its digest; `nil` where none is known.
  public func appDocument(digest: String, next: (effectiveFrom: Instant, digest: String)? = nil) -> JSONOutput
  {
    var members: [JSONOutput.Member] = [
      .init("format", .integer(Self.appDocumentFormat)), .init("app", .integer(app.number)),
      .init("name", .string(name)), .init("digest", .string(digest)),
      .init("effective-from", .string(effectiveFrom.description)),
    ]
    if let next {
      members.append(
        .init(
          "next",
          .object([
            .init("effective-from", .string(next.effectiveFrom.description)),
            .init("digest", .string(next.digest)),
          ])))
    }
    members += [
      .init("protocol", .string(device.rawValue)), .init("currency", .string(currency.text)),
      .init("raise-only", .bool(isRaiseOnly)),
    ]
    if let hours = measurementWindowHours {
      members.append(.init("measurement-window-hours", .integer(Int64(hours))))
    }
    members.append(.init("precedence", .string(precedence.rawValue)))
    members.append(.init("fine", .array(fine.map { $0.appRule(currency) })))
    if !coarse.isEmpty {
      let windows = coarse.sorted { $0.key < $1.key }.map { $1.appRules(window: $0, currency) }
      members.append(.init("coarse", .array(windows)))
    }
    return .object(members)
  }
}

extension FineRule {
  fileprivate func appRule(_ home: CurrencyCode) -> JSONOutput {
    var members = [JSONOutput.Member("value", .integer(Int64(value.number)))] + conditions.appMembers(home)
    if let coarse { members.append(.init("coarse", .string(coarse.rawValue))) }
    if lock { members.append(.init("lock", true)) }
    if priority != 0 { members.append(.init("priority", .integer(Int64(priority)))) }
    return .object(members)
  }
}

extension CoarseRules {
  fileprivate func appRules(window: ConversionWindow, _ home: CurrencyCode) -> JSONOutput {
    .object([
      .init("window", .integer(Int64(window.rawValue) + 1)), .init("totals", .string(totals.rawValue)),
      .init(
        "rules",
        .array(
          rules.map { rule in
            var members = [JSONOutput.Member("value", .string(rule.value.rawValue))]
            members += rule.conditions.appMembers(home)
            if rule.lock { members.append(.init("lock", true)) }
            return .object(members)
          })),
    ])
  }
}

extension Conditions {
  fileprivate func appMembers(_ home: CurrencyCode) -> [JSONOutput.Member] {
    var members: [JSONOutput.Member] = []
    if conversionTypes != .all {
      members.append(.init("conversion-types", .array(conversionTypes.list.map { .string($0.rawValue) })))
    }
    if !events.isEmpty { members.append(.init("events", .array(events.map { $0.appCondition(home) }))) }
    if let revenue { members.append(.init("revenue", revenue.appRange(home))) }
    if let activeHours {
      members.append(
        .init(
          "active-hours",
          ["from": .integer(Int64(activeHours.from)), "to": .integer(Int64(activeHours.to))]))
    }
    return members
  }
}

extension EventCondition {
  fileprivate func appCondition(_ home: CurrencyCode) -> JSONOutput {
    var members: [JSONOutput.Member] = [.init("name", .string(name))]
    if count != .atLeastOnce {
      var range: [JSONOutput.Member] = [.init("min", .integer(Int64(count.min)))]
      if let max = count.max { range.append(.init("max", .integer(Int64(max)))) }
      members.append(.init("count", .object(range)))
    }
    if let revenue { members.append(.init("revenue", revenue.appRange(home))) }
    return .object(members)
  }
}

extension RevenueCondition {
  fileprivate func appRange(_ home: CurrencyCode) -> JSONOutput {
    var members: [JSONOutput.Member] = []
    // Whole millionths have a first and a last one, whether an end of the range belongs to it or not.
    if range.first > .min { members.append(.init("from-micros", .integer(range.first))) }
    if range.last < .max { members.append(.init("to-micros", .integer(range.last))) }
    if currency != home { members.append(.init("currency", .string(currency.text))) }
    return .object(members)
  }
}
