package import JSONText
package import Ledger
import MappingLibrary
import Mappings
package import Postbacks
package import Values

/// What is known of a stored body besides its bytes.
package struct ArrivedBody: Sendable {
  let row: Int64
  let receivedAt: Instant
  let origin: Origin
  let environment: Environment

  package init(row: Int64, receivedAt: Instant, origin: Origin, environment: Environment) {
    self.row = row
    self.receivedAt = receivedAt
    self.origin = origin
    self.environment = environment
  }

  init(_ conversion: StoredConversion) {
    self.init(
      row: conversion.row, receivedAt: conversion.receivedAt, origin: conversion.origin,
      environment: conversion.environment)
  }
}

/// What postbacks mean by the mappings of a moment, in the members of `skan explain`.
package struct ConversionMeaning: Sendable {
  private let catalog: MappingCatalog

  init(by catalog: MappingCatalog) { self.catalog = catalog }

  /// Takes the mappings that a ledger has now.
  package init(from reader: LedgerReader) throws(LedgerError) {
    self.init(by: try MappingCatalog(from: reader))
  }

  /// What a body means: the members that `skan explain` has of its conversion.
  package func json(of body: [UInt8], _ arrived: ArrivedBody) -> JSONOutput {
    var members: [JSONOutput.Member] = [
      .init("environment", .string(arrived.environment.rawValue)),
      .init("received-at", .string("\(arrived.receivedAt)")), .init("route", .string(arrived.origin.text)),
    ]
    if let postback = PostbackReading(body).postback {
      let decoded = decoded(postback, arrived)
      members += [
        .init("facts", facts(postback)), .init("first-launch", interval(postback, arrived)),
        .init("meaning", .string(decoded.status.rawValue)), .init("decoding", decoded.decoding),
      ]
    }
    return .object(members)
  }

  func facts(_ postback: Postback) -> JSONOutput {
    let facts = postback.attested
    let value: JSONOutput =
      switch postback.claimed.value {
      case .fine(let value): .integer(Int64(value.number))
      case .coarse(let value): .string(value.rawValue)
      case .absent: .null
      case .rejected: "impossible"
      }
    return .object([
      .init("network", .string(facts.network.text)), .init("app", .integer(facts.advertisedApp.number)),
      .init("campaign", .string(facts.campaign.text)),
      .init("window", .integer(Int64(facts.window.rawValue) + 1)),
      .init("outcome", .string(facts.outcome.rawValue)), .init("unsigned-value", value),
      .init("unsigned-country", .optional(postback.claimed.country)),
    ])
  }

  func decoded(_ postback: Postback, _ arrived: ArrivedBody) -> DecodedPostback {
    let facts = postback.attested
    var decoder = PostbackDecoder(catalog)
    return decoder.decode(
      PostbackRow(
        row: arrived.row, receivedAt: arrived.receivedAt, origin: arrived.origin,
        environment: arrived.environment, version: facts.version, network: facts.network.canonical,
        app: facts.advertisedApp, campaign: facts.campaign.text, window: facts.window,
        outcome: facts.outcome, interaction: facts.interaction ?? postback.claimed.interaction,
        value: postback.claimed.value, country: postback.claimed.country.map(Country.word),
        publisher: facts.publisher.text, marketplace: facts.marketplace, identifier: facts.id))
  }

  func interval(_ postback: Postback, _ arrived: ArrivedBody) -> JSONOutput {
    let interval = decoded(postback, arrived).launch
    return .object([
      .init("earliest", .string("\(interval.earliest)")), .init("latest", .string("\(interval.latest)")),
      .init("note", "range that Apple's timers allow; a repeated delivery makes it earlier"),
    ])
  }
}

extension Origin {
  var text: String { name.isEmpty ? route.rawValue : "\(route.rawValue) \(name)" }
}
