import JSONText
package import MappingFormats
package import Mappings
package import Postbacks
package import Values

/// A file of another system's format as a mapping document of ours, with what is lost or assumed on the way.
package struct MappingImport: Equatable, Sendable {
  package let mapping: Mapping
  /// What was lost or assumed.
  package let losses: [ImportRemark]
  /// The document: a file of our own format as it was written, with its grids.
  package let document: [UInt8]

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - name: What the mapping is called where the file has no name.
  ///   - app: The app, currency and date take the place of the file's own; `nil` where the file decides.
  /// - Throws: ``DraftError/notImported(_:)`` where the file is of another format, or lacks something that is not
  ///   given either.
  package init(
    _ bytes: [UInt8], _ format: MappingFormat, name: String, app: AppID?, currency: CurrencyCode?,
    effectiveFrom: Instant?
  ) throws(DraftError) {
    if format == .skan {
      let reading = MappingDocument.read(bytes)
      guard let mapping = reading.document?.mapping else {
        guard let first = reading.findings.first else {
          throw .notImported(Sentence("the file is no mapping"))
        }
        throw .notImported(
          Sentence("\(code: first.position): error: \(first.sentence) [\(code: first.code.text)]"),
          line: first.position.line)
      }
      self.mapping = mapping
      losses = []
      document = bytes
      return
    }
    let file: ForeignMapping
    do throws(FormatDefect) { file = try ForeignMapping(bytes, format) } catch {
      throw DraftError(error)
    }
    let app = app ?? file.app
    let currency = currency ?? file.currency
    let date = effectiveFrom ?? (file.hasDate ? Instant(seconds: 0) : nil)
    guard let app, let currency, let date else {
      let missing = [
        app == nil ? Sentence("the app") : nil, currency == nil ? Sentence("the currency") : nil,
        date == nil ? Sentence("the date") : nil,
      ]
      throw .notImported(Sentence("the file lacks \(Sentence.joined(missing.compactMap { $0 }, by: ", "))"))
    }
    do throws(FormatDefect) {
      let imported = try file.mapping(
        ImportContext(
          name: name, app: app, currency: currency, effectiveFrom: date, device: .skan4, ends: nil))
      mapping = imported.mapping
      losses = imported.remarks
      document = imported.mapping.json.bytes(pretty: true) + [0x0A]
    } catch {
      throw DraftError(error)
    }
  }
}

extension DraftError {
  fileprivate init(_ defect: FormatDefect) {
    self = .notImported(
      Sentence("\(code: defect.place): \(defect.sentence) [\(code: defect.code)]"), line: defect.line)
  }
}
