import EventFiles
import Gzip
import Mappings
import SkanMapping
import System
import Values

/// An app without a screen: it plays the users of an events file as `SkanMapping` would on their phones, and prints the
/// calls that it would make to Apple's frameworks.
struct SampleApp {
  /// The name of the events by which a user comes back through an ad.
  static let reengagementEvent = "re-engagement"

  /// A call for one of the users.
  struct Call {
    let user: String
    let update: AppUpdate
  }

  let mapping: AppMapping
  private let currency: CurrencyCode

  /// Reads an app document, as `GET /v1/apps/{app}/mapping` serves it.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - currency: The currency of amounts of the events file that name none.
  /// - Throws: ``AppDocumentError`` for the first thing that is wrong.
  init(document: [UInt8], currency: CurrencyCode) throws(AppDocumentError) {
    mapping = try AppMapping(document: document)
    self.currency = currency
  }

  /// Reads the users of an events file, gzip-compressed or not.
  func users(_ path: String) throws -> [UserHistory] {
    let file = try FileReader(path)
    var unpacked = GzipReader { try file.read() }
    var users: [UserHistory] = []
    _ = try PopulationReader(currency: currency).read({ try unpacked.next() }) { users.append($0) }
    return users
  }

  /// The calls for a user; the app is ended and launched again before every event, so that all is in its store.
  func play(_ user: UserHistory, from start: Instant) throws -> [Call] {
    var store = MemoryStore()
    var updates: [AppUpdate] = []
    var app = try AppConversions(mapping: mapping, store: store)
    for update in try app.launch(at: start.milliseconds) {
      updates.append(update)
      try app.confirm(update)
    }
    for event in user.events {
      store = app.savedStore
      app = try AppConversions(mapping: mapping, store: store)
      let time = start.milliseconds + 1000 * event.secondsSinceInstall
      var due: [AppUpdate] = []
      if event.name == Self.reengagementEvent { due += try app.reengage(tag: event.conversionTag, at: time) }
      due += try app.record(
        AppEvent(
          name: event.name, time: time, micros: event.revenue?.amount.micros,
          currency: event.revenue?.currency.text, conversionTag: event.conversionTag))
      for update in due { try app.confirm(update) }
      updates += due
    }
    return updates.map { Call(user: user.name, update: $0) }
  }
}

extension SampleApp.Call {
  /// The columns of ``line``.
  static let header = "user,seconds,conversion-type,conversion-tag,window,value,coarse,lock"

  /// The call as a row of CSV.
  var line: String {
    let name = user.contains { ",\"\n\r".contains($0) } ? "\"\(user.replacing("\"", with: "\"\""))\"" : user
    return [
      name, "\(update.secondsSinceConversion)", update.conversionType.rawValue, update.conversionTag ?? "",
      "\(update.window)", update.fine.map { "\($0)" } ?? "", update.coarse?.rawValue ?? "", "\(update.lock)",
    ].joined(separator: ",")
  }
}
