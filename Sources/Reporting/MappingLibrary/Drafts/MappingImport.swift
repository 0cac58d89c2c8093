package import JSONText
package import MappingFormats
package import Mappings
package import Postbacks
package import Values

/// A file of another system's format as a mapping document of ours, with what is lost or assumed on the way.
package struct MappingImport: Hashable, Sendable {
  package let mapping: Mapping
  /// What was lost or assumed.
  package let losses: [FormatLoss]
  /// The document: a file of our own format as it was written, with its grids.
  package let document: [UInt8]

  /// What a file leaves open; `nil` where the file or a default decides.
  package struct Defaults: Hashable, Sendable {
    package var name: String
    package var app: AppID?
    package var currency: CurrencyCode?
    package var effectiveFrom: Instant?
    package var device: Mapping.Device?
    package var ends: ImportContext.Ends?

    package init(
      name: String, app: AppID? = nil, currency: CurrencyCode? = nil, effectiveFrom: Instant? = nil,
      device: Mapping.Device? = nil, ends: ImportContext.Ends? = nil
    ) {
      self.name = name
      self.app = app
      self.currency = currency
      self.effectiveFrom = effectiveFrom
      self.device = device
      self.ends = ends
    }
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - defaults: What the file leaves open.
  /// - Throws: ``DraftError/notImported(_:)`` where the file is of another format, or lacks the app, the currency or
  ///   the date and `defaults` lack it too.
  package init(_ bytes: [UInt8], _ format: MappingFormat, _ defaults: Defaults) throws(DraftError) {
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
    let app = defaults.app ?? file.app
    let currency = defaults.currency ?? file.currency
    let date = defaults.effectiveFrom ?? (file.hasDate ? Instant(seconds: 0) : nil)
    guard let app, let currency, let date else {
      let missing = [
        app == nil ? "the app" : nil, currency == nil ? "the currency" : nil, date == nil ? "the date" : nil,
      ]
      throw .notImported("the file lacks \(missing.compactMap { $0 }.joined(separator: ", "))")
    }
    do throws(FormatDefect) {
      let imported = try file.mapping(
        ImportContext(
          name: defaults.name, app: app, currency: currency, effectiveFrom: date,
          device: defaults.device ?? .skan4, ends: defaults.ends))
      mapping = imported.mapping
      losses = imported.remarks.map { FormatLoss($0) }
      document = imported.mapping.json.bytes(pretty: true) + [0x0A]
    } catch {
      throw .notImported("\(error.place): \(error.sentence) [\(error.code)]")
    }
  }
}

/// A mapping written in another system's format, with what that format cannot express.
package struct MappingExport: Hashable, Sendable {
  package let bytes: [UInt8]
  /// What was lost or assumed.
  package let losses: [FormatLoss]
  /// The end of the file's name, such as `.ga4.json`.
  package let ending: String

  /// Writes a mapping.
  ///
  /// - Parameters:
  ///   - cap: The upper end of ranges without one, where the format needs one.
  /// - Throws: `ExportDefect` where the format can't hold the mapping.
  package init(_ mapping: Mapping, _ format: MappingFormat, cap: Amount? = nil) throws(ExportDefect) {
    let exported = try format.export(mapping, ExportContext(cap: cap))
    bytes = exported.bytes
    losses = exported.remarks.map { FormatLoss($0) }
    let isTable = [.appsFlyerTable, .tenjin, .appReportingPack].contains(format)
    ending = ".\(format.rawValue).\(isTable ? "csv" : "json")"
  }
}

/// Something that is lost or assumed on the way from one format into another.
package struct FormatLoss: Hashable, Sendable {
  /// Whether something is lost, rather than assumed.
  package let isLoss: Bool
  package let code: String
  /// What it means here, as a sentence.
  package let sentence: String
  /// The rules or parts of the file that it is about; empty for the whole.
  package let places: [String]

  init(_ remark: ImportRemark) {
    isLoss = remark.code.isLoss
    code = remark.code.rawValue
    sentence = remark.sentence
    places = remark.place.map { [$0] } ?? []
  }

  init(_ remark: ExportRemark) {
    isLoss = remark.code.isLoss
    code = remark.code.rawValue
    sentence = remark.sentence
    places = remark.places
  }

  /// The loss for programs.
  package var json: JSONOutput {
    [
      "kind": .string(isLoss ? "loss" : "assumption"), "code": .string(code), "sentence": .string(sentence),
      "places": .array(places.map { .string($0) }),
    ]
  }
}

extension MappingImport {
  /// The words for the formats that are read and written.
  package static var formats: [String] { MappingFormat.allCases.map(\.rawValue) }

  /// Reads a file of a format by its word; see ``init(_:_:_:)``.
  package init(_ bytes: [UInt8], format word: String, _ defaults: Defaults) throws(DraftError) {
    guard let format = MappingFormat(rawValue: word) else {
      throw .notImported("there is no format '\(printable(word))'")
    }
    try self.init(bytes, format, defaults)
  }
}

extension MappingExport {
  /// Writes a mapping in a format by its word.
  ///
  /// - Throws: ``DraftError/notImported(_:)`` where there is no such format, or it can't hold the mapping.
  package init(_ mapping: Mapping, format word: String) throws(DraftError) {
    guard let format = MappingFormat(rawValue: word) else {
      throw .notImported("there is no format '\(printable(word))'")
    }
    do throws(ExportDefect) { try self.init(mapping, format) } catch { throw .notImported(error.sentence) }
  }
}

extension MappingImport {
  package var appNumber: Int64 { mapping.app.number }
}

extension MappingImport.Defaults {
  /// Takes what a person filled in; what is empty or can't be read counts as left open.
  package init(name: String, app: String, currency: String, effectiveFrom: Instant?) {
    self.init(
      name: name, app: Int64(app).flatMap { AppID($0) }, currency: CurrencyCode(anyCase: currency),
      effectiveFrom: effectiveFrom)
  }
}
