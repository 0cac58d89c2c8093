import Simulation
import Values

/// Makes packed rows of cells and keeps the texts that their numbers stand for.
struct RowPacker {
  /// What the numbers of all rows so far stand for.
  private(set) var names: RowNames
  /// Numbers of currencies by the bytes of their code; `nil` for the currency of amounts that name none.
  private var codes: [(bytes: UInt32, number: Int)] = []
  private let homeNumber: Int?
  private let keepsUsers: Bool
  private let hasDecimalCommas: Bool

  /// Starts without texts.
  ///
  /// - Parameters:
  ///   - home: The currency of amounts that name none, if there is one.
  ///   - keepsUsers: Whether the names of users are kept.
  ///   - hasDecimalCommas: Whether amounts can have a decimal comma.
  init(home: CurrencyCode?, keepsUsers: Bool, hasDecimalCommas: Bool) {
    (self.keepsUsers, self.hasDecimalCommas) = (keepsUsers, hasDecimalCommas)
    names = RowNames(home: home)
    homeNumber = home == nil ? nil : 0
  }

  /// Packs a row.
  ///
  /// - Parameters:
  ///   - bytes: What the places of the cells point into.
  ///   - places: The cells by slot.
  ///   - line: The line on which the row begins.
  /// - Throws: ``EventFileError`` for the first cell that is wrong.
  mutating func pack(_ bytes: Span<UInt8>, _ places: borrowing [10 of Range<Int>], line: Int)
    throws(EventFileError) -> PackedRow
  {
    for column in EventColumn.required where places[column.slot].isEmpty {
      throw .missing(column, line: line)
    }
    let time = try time(bytes, places, .time, line)
    let installed =
      places[EventColumn.installed.slot].isEmpty ? nil : try self.time(bytes, places, .installed, line)
    let (micros, currency) = try revenue(bytes, places, line)
    let origin = try origin(bytes, places, line)
    let user = bytes.extracting(places[EventColumn.user.slot])
    if keepsUsers { _ = names.users.number(of: user) }
    let campaign = places[EventColumn.campaign.slot]
    let tag = places[EventColumn.conversionTag.slot]
    return PackedRow(
      key: Cohort.key(of: user), check: PackedRow.check(of: user),
      name: names.events.number(of: bytes.extracting(places[EventColumn.event.slot])),
      campaign: campaign.isEmpty ? nil : names.campaigns.number(of: bytes.extracting(campaign)),
      tag: tag.isEmpty ? nil : names.tags.number(of: bytes.extracting(tag)), origin: origin,
      currency: currency, micros: micros, time: time, installed: installed, line: line)
  }

  private func time(
    _ bytes: Span<UInt8>, _ places: borrowing [10 of Range<Int>], _ column: EventColumn, _ line: Int
  ) throws(EventFileError) -> Int64 {
    guard let time = EventValues.time(bytes.extracting(places[column.slot])) else {
      throw .invalidTime(Self.text(bytes.extracting(places[column.slot])), column, line: line)
    }
    return time
  }

  private mutating func revenue(_ bytes: Span<UInt8>, _ places: borrowing [10 of Range<Int>], _ line: Int)
    throws(EventFileError) -> (micros: Int64, currency: Int?)
  {
    let amount = places[EventColumn.revenue.slot]
    guard !amount.isEmpty else { return (0, nil) }
    let place = places[EventColumn.currency.slot]
    let currency = place.isEmpty ? homeNumber : number(ofCurrency: bytes.extracting(place))
    guard let currency else {
      throw place.isEmpty
        ? EventFileError(
          code: "missing-currency", line: line,
          sentence: Sentence("the revenue has no currency, and there is no default currency"),
          cure: Sentence("--currency USD, or whichever currency these amounts are in"), isOfFile: true)
        : .unlistedCurrency(Self.text(bytes.extracting(place)), line: line)
    }
    do throws(Amount.Defect) {
      let text = bytes.extracting(amount)
      if hasDecimalCommas, let pointed = Amount.pointed(Self.text(text)) {
        return (try Amount(decimal: pointed).micros, currency)
      }
      return (try EventValues.micros(text), currency)
    } catch {
      throw .invalidRevenue(Self.text(bytes.extracting(amount)), error, line: line)
    }
  }

  private mutating func origin(_ bytes: Span<UInt8>, _ places: borrowing [10 of Range<Int>], _ line: Int)
    throws(EventFileError) -> UInt32?
  {
    let (app, country) = (places[EventColumn.sourceApp.slot], places[EventColumn.country.slot])
    guard !app.isEmpty || !country.isEmpty else { return nil }
    return names.number(
      of: try UserOrigin(
        app: app.isEmpty ? nil : Self.text(bytes.extracting(app)),
        country: country.isEmpty ? nil : Self.text(bytes.extracting(country)), line: line))
  }

  private static func text(_ bytes: Span<UInt8>) -> String {
    String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }

  /// The number of a currency, whose codes may have small letters; `nil` where it is not listed.
  private mutating func number(ofCurrency text: Span<UInt8>) -> Int? {
    guard text.count == 3 else { return nil }
    let bytes = UInt32(text[0]) << 16 | UInt32(text[1]) << 8 | UInt32(text[2])
    for code in codes where code.bytes == bytes { return code.number }
    let letters = String(decoding: [text[0], text[1], text[2]], as: UTF8.self)
    guard let currency = CurrencyCode(anyCase: letters) else { return nil }
    let number = names.number(of: currency)
    codes.append((bytes, number))
    return number
  }
}
