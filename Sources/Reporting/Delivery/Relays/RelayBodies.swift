import Explanations
import JSONText
import Ledger
import Values

/// Writes the bodies of a relay's form, by the mappings and names of a moment.
struct RelayBodies {
  private enum Writer {
    case postback
    case enriched(ConversionMeaning)
    case ga4(PostbackEvents)
    case meta(PostbackEvents)
  }

  private let writer: Writer

  init(_ form: RelayForm, _ reader: LedgerReader) throws(LedgerError) {
    writer =
      switch form {
      case .postback: .postback
      case .enriched: .enriched(try ConversionMeaning(from: reader))
      case .ga4: .ga4(try PostbackEvents(from: reader))
      case .meta: .meta(try PostbackEvents(from: reader))
      }
  }

  /// The body that is sent now; `nil` where the bytes are no longer kept, or are no postback of which there is an event.
  func body(of postback: RelayPostback, now: Instant) -> [UInt8]? {
    guard let bytes = postback.body else { return nil }
    let arrived = ArrivedBody(
      row: postback.row, receivedAt: postback.receivedAt, origin: postback.origin,
      environment: postback.environment)
    return switch writer {
    case .postback: bytes
    case .enriched(let meaning): Self.enriched(bytes, meaning.json(of: bytes, arrived)).bytes()
    case .ga4(let events): events.event(of: bytes, arrived)?.ga4(now: now).bytes()
    case .meta(let events): events.event(of: bytes, arrived)?.meta.bytes()
    }
  }

  private static func enriched(_ bytes: [UInt8], _ meaning: JSONOutput) -> JSONOutput {
    let text = String(decoding: bytes, as: UTF8.self)
    // What is no text can't be a JSON string without a change.
    let isText = text.utf8.elementsEqual(bytes)
    return [
      "postback-body": isText ? .string(text) : .null,
      "postback-body-base64": isText ? .null : .string(String(decoding: Base64.encode(bytes), as: UTF8.self)),
      "meaning": meaning,
    ]
  }
}
