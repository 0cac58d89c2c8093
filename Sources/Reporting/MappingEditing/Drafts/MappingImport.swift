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
        throw .notImported(reading.findings.first.map { "\($0)" } ?? "the file is no mapping")
      }
      self.mapping = mapping
      losses = []
      document = bytes
      return
    }
    let file: ForeignMapping
    do throws(FormatDefect) { file = try ForeignMapping(bytes, format) } catch {
      throw .notImported("\(error.place): \(error.sentence) [\(error.code)]")
    }
    let app = app ?? file.app
    let currency = currency ?? file.currency
    let date = effectiveFrom ?? (file.hasDate ? Instant(seconds: 0) : nil)
    guard let app, let currency, let date else {
      let missing = [
        app == nil ? "the app" : nil, currency == nil ? "the currency" : nil, date == nil ? "the date" : nil,
      ]
      throw .notImported("the file lacks \(missing.compactMap { $0 }.joined(separator: ", "))")
    }
    do throws(FormatDefect) {
      let imported = try file.mapping(
        ImportContext(
          name: name, app: app, currency: currency, effectiveFrom: date, device: .skan4, ends: nil))
      mapping = imported.mapping
      losses = imported.remarks
      document = imported.mapping.json.bytes(pretty: true) + [0x0A]
    } catch {
      throw .notImported("\(error.place): \(error.sentence) [\(error.code)]")
    }
  }
}
