import CSVText
import JSONText
package import Mappings
package import Postbacks
package import Values

/// The formats that mappings are read from and written in; the raw value is the word for it.
package enum MappingFormat: String, Hashable, Sendable, CaseIterable {
  case skan
  case meta
  case metaAggregated = "meta-aem"
  case ga4
  case googleAds = "google-ads"
  /// AppsFlyer's for networks: read in either version, written in the second.
  case appsFlyer = "appsflyer"
  case appsFlyerFirst = "appsflyer-v1"
  case appsFlyerTable = "appsflyer-csv"
  case branch
  /// Airbridge's: read in either form, written in that of today.
  case airbridge
  case airbridgeBits = "airbridge-v4"
  case tenjin
  case appReportingPack = "arp"

  /// Writes a mapping.
  ///
  /// - Throws: ``ExportDefect`` when the format can't hold it.
  package func export(
    _ mapping: Mapping, _ context: ExportContext = ExportContext()
  ) throws(ExportDefect) -> ExportedMapping {
    switch self {
    case .skan: ExportedMapping(bytes: mapping.json.file, mapping: mapping, remarks: [])
    case .meta: try MetaConfiguration.export(mapping, context)
    case .metaAggregated: try MetaAggregatedConfiguration.export(mapping, context)
    case .ga4: try GA4Schema.export(mapping, context)
    case .googleAds: try GoogleAdsSchema.export(mapping, context)
    case .appsFlyer: try AppsFlyerSchema.export(mapping, context)
    case .appsFlyerFirst: try AppsFlyerSchema.exportFirstVersion(mapping, context)
    case .appsFlyerTable: try AppsFlyerTable.export(mapping, context)
    case .branch: try BranchFormat.export(mapping, context)
    case .airbridge: try AirbridgeFormat.export(mapping, context)
    case .airbridgeBits: try AirbridgeFormat.exportBits(mapping, context)
    case .tenjin: try TenjinTable.export(mapping, context)
    case .appReportingPack: try AppReportingPackTable.export(mapping, context)
    }
  }
}

/// A file of another system's format, taken apart.
package struct ForeignMapping: Sendable {
  private enum Content: Sendable {
    case document(JSONNode)
    case table([UInt8])
  }

  package let format: MappingFormat
  private let content: Content

  /// Takes a file apart.
  ///
  /// - Throws: ``FormatDefect`` when it is not of the format's sort: JSON, or CSV with the format's columns. Files of
  ///   our own format are read by ``MappingDocument`` and are none of these.
  package init(_ bytes: [UInt8], _ format: MappingFormat) throws(FormatDefect) {
    self.format = format
    guard bytes.count <= MappingDocument.largestFile else {
      throw FormatDefect(
        code: "file-too-large", place: "$", line: nil,
        sentence: Sentence("the file is longer than \(MappingDocument.largestFile) bytes"))
    }
    if let columns = format.columns {
      try Self.check(bytes, columns)
      content = .table(bytes)
    } else {
      do throws(JSONDefect) {
        content = .document(try JSONReader.read(bytes))
      } catch {
        let position = LineIndex(bytes).position(ofByte: error.offset)
        throw FormatDefect(
          code: error.reason.rawValue, place: "\(position) \(error.path)", line: position.line,
          sentence: Sentence("the file is not JSON: \(diagnosis: error.diagnosis(in: bytes).text)"))
      }
    }
  }

  /// The formats that read a file, by the columns or members that only they have.
  package static func formats(of bytes: [UInt8]) -> [MappingFormat] {
    MappingFormat.allCases.filter { format in
      guard let file = try? ForeignMapping(bytes, format), let app = file.app ?? AppID(0),
        let currency = file.currency ?? CurrencyCode.all.first
      else { return false }
      let context = ImportContext(
        name: "", app: app, currency: currency, effectiveFrom: Instant(seconds: 0))
      return (try? file.mapping(context)) != nil
    }
  }

  /// Makes a mapping of the file.
  ///
  /// - Throws: ``FormatDefect`` when it is of another form, is for another app or holds no rule.
  package func mapping(_ context: ImportContext) throws(FormatDefect) -> ImportedMapping {
    do throws(ImportDefect) {
      switch content {
      case .table(let bytes): return try mapping(bytes, context)
      case .document(let node): return try mapping(node, context)
      }
    } catch {
      let isTable = format.columns != nil
      let sentence =
        switch error {
        case .notThisFormat:
          Sentence("the file is not of the format \(code: format.rawValue): it has no \(format.landmark)")
        case .noRule: Sentence("the file has no rule that can be imported")
        case .otherApp: Sentence("the file is not for app \(code: context.app.number)")
        }
      throw FormatDefect(
        code: error.rawValue, place: isTable ? "line 1" : "$", line: isTable ? 1 : nil, sentence: sentence)
    }
  }

  private func mapping(_ node: JSONNode, _ context: ImportContext) throws(ImportDefect) -> ImportedMapping {
    switch format {
    case .meta: try MetaConfiguration.mapping(node, context)
    case .metaAggregated: try MetaAggregatedConfiguration.mapping(node, context)
    case .ga4: try GA4Schema.mapping(node, context)
    case .googleAds: try GoogleAdsSchema.mapping(node, context)
    case .appsFlyer, .appsFlyerFirst: try AppsFlyerSchema.mapping(node, context)
    case .branch: try BranchFormat.mapping(node, context)
    case .airbridge, .airbridgeBits: try AirbridgeFormat.mapping(node, context)
    case .skan, .appsFlyerTable, .tenjin, .appReportingPack: throw .notThisFormat
    }
  }

  private func mapping(_ bytes: [UInt8], _ context: ImportContext) throws(ImportDefect) -> ImportedMapping {
    switch format {
    case .appsFlyerTable: try AppsFlyerTable.mapping(bytes, context)
    case .tenjin: try TenjinTable.mapping(bytes, context)
    case .appReportingPack: try AppReportingPackTable.mapping(bytes, context)
    default: throw .notThisFormat
    }
  }

  private static func check(_ bytes: [UInt8], _ columns: [String]) throws(FormatDefect) {
    var header: [String]?
    do throws(CSVReader.Defect) { header = try CSVTable.records(bytes).first?.cells } catch {
      throw FormatDefect(
        code: error.reason.rawValue, place: "line \(error.line)", line: error.line,
        sentence: Sentence("the file is not CSV: \(error.reason.sentence)"))
    }
    let missing = columns.filter { !(header ?? []).contains($0) }
    guard missing.isEmpty else {
      throw FormatDefect(
        code: ImportDefect.notThisFormat.rawValue, place: "line 1", line: 1,
        sentence: Sentence("the header lacks \(code: missing.map { quoted($0) }.joined(separator: ", "))"))
    }
    guard CSVTable(bytes) != nil else {
      throw FormatDefect(
        code: ImportDefect.notThisFormat.rawValue, place: "line 1", line: 1,
        sentence: Sentence("the header has a column without a name, one that is there twice, or more than 64")
      )
    }
  }
}

/// Why a file can't be read as a mapping of another system.
package struct FormatDefect: Error, Equatable, Sendable {
  package let code: String
  /// Where, as a line, or as a position and a way through the document.
  package let place: String
  /// The line of the file, from 1; `nil` where it is about the whole file.
  package let line: Int?
  package let sentence: Sentence
}

// What mappings need and formats often leave out, as far as a file has it.
extension ForeignMapping {
  package var app: AppID? { first(of: ["appId", "app_id", "app-id"]) { name, object in object.app(name) } }

  /// The listed currency that the file names first.
  package var currency: CurrencyCode? {
    first(
      of: ["default_currency", "currencyCode", "currency_code", "event_currency", "currency"]
    ) { name, object in
      object[name]?.value.string.flatMap { CurrencyCode(anyCase: $0) }
    }
  }

  /// Whether the file has the moment from which it applies.
  package var hasDate: Bool { format == .metaAggregated }

  private func first<Value>(of names: [String], _ read: (String, JSONObject) -> Value?) -> Value? {
    switch content {
    case .table(let bytes):
      for case let row? in CSVTable(bytes)?.rows ?? [] {
        for name in names { if let value = read(name, row) { return value } }
      }
      return nil
    case .document(let node): return Self.first(in: node, of: names, read)
    }
  }

  private static func first<Value>(
    in node: JSONNode, of names: [String], _ read: (String, JSONObject) -> Value?
  ) -> Value? {
    if let object = node.value.object {
      for name in names { if let value = read(name, object) { return value } }
    }
    for child in node.value.object?.members.map(\.value) ?? node.value.array ?? [] {
      if let value = first(in: child, of: names, read) { return value }
    }
    return nil
  }
}

extension MappingFormat {
  /// The columns of a table; `nil` for formats in JSON.
  fileprivate var columns: [String]? {
    switch self {
    case .appsFlyerTable: AppsFlyerTable.columns
    case .tenjin: TenjinTable.columns
    case .appReportingPack: AppReportingPackTable.columns
    default: nil
    }
  }

  /// What files of the format have, and other files have not.
  fileprivate var landmark: Sentence {
    switch self {
    case .skan: Sentence("member $.fine")
    case .meta: Sentence("$.data[0] with \"default_currency\" and \"conversion_value_rules\"")
    case .metaAggregated:
      Sentence(
        "\"default_currency\", \"cutoff_time\", \"valid_from\" and \"conversion_value_rules\" whose rules all are "
          + "sound")
    case .ga4: Sentence("object $.postbackWindowOne")
    case .googleAds:
      Sentence(
        "array \"fineGrainedConversionValueMappings\", alone, in a schema or in an answer of search")
    case .appsFlyer, .appsFlyerFirst:
      Sentence("array $.data.postbacks or $.data.conversion_value_mapping")
    case .branch: Sentence("\(code: "$.mapping[\"postback-sequence-index-0\"]")")
    case .airbridge, .airbridgeBits:
      Sentence("array $.conversion_bits_rules or $.postbacks[0].conversion_schema.fine.schema")
    case .appsFlyerTable, .tenjin, .appReportingPack: Sentence("such columns")
    }
  }
}
