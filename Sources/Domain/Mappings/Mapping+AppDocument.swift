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
    members.append(.init("fine", .array(fine.map { $0.json(currency, for: .app) })))
    if !coarse.isEmpty {
      let windows = coarse.ordered { $0.key < $1.key }.map { $1.appRules(window: $0, currency) }
      members.append(.init("coarse", .array(windows)))
    }
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
            .object([.init("value", .string(rule.value.rawValue))] + rule.setting(home, for: .app))
          })),
    ])
  }
}
