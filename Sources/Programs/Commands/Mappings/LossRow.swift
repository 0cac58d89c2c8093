import MappingFormats
import Mappings
import Postbacks
import Tables
import Values

/// Something that is lost or assumed on the way from one format into another, ready to be printed.
struct LossRow {
  /// Whether something is lost, rather than assumed.
  let isLoss: Bool
  private let code: String
  let sentence: String
  private let places: [String]
  /// The places of a remark on an export.
  private let written: [ExportPlace]
  /// The file that was read, or the format that was written.
  private let source: String
  private let isExport: Bool

  init(_ remark: ImportRemark, file: String) {
    isLoss = remark.code.isLoss
    code = remark.code.rawValue
    sentence = remark.sentence.english
    places = remark.place.map { [$0.english] } ?? []
    written = []
    source = file
    isExport = false
  }

  init(_ remark: ExportRemark, format: MappingFormat) {
    isLoss = remark.code.isLoss
    code = remark.code.rawValue
    sentence = remark.sentence.english
    places = remark.places.map(\.words.english)
    written = remark.places
    source = format.rawValue
    isExport = true
  }

  /// Reports that a file's first currency became the mapping's own.
  init(currency: CurrencyCode, file: String) {
    isLoss = false
    code = ImportRemark.Code.currencyAssumed.rawValue
    sentence = "the mapping's currency is \(currency), the first in the file"
    places = []
    written = []
    source = file
    isExport = false
  }

  /// Reports that an option is not used, because the file contains something else.
  init(unused option: String, _ reason: String, file: String) {
    isLoss = false
    code = "option-unused"
    sentence = "'\(option)' is not used: \(reason)"
    places = []
    written = []
    source = file
    isExport = false
  }

  static let columns: [Column<Self>] = [
    Column("step", "step", "import or export.") { $0.isExport ? "export" : "import" },
    Column("kind", "kind", "loss or assumption.") { $0.isLoss ? "loss" : "assumption" },
    Column("code", "code", "Stable code of what is lost or assumed.", \.code),
    Column("in", "in", "File that was read, or format that was written.", shown: .forPrograms) {
      Identifier($0.source)
    },
    Column("where", "where", "Places in the file or the mapping.", shown: .forPrograms, \.places),
    Column("sentence", "sentence", "What is lost or assumed.", shown: .forPrograms, \.sentence),
    Column("remark", "what is lost or assumed", "The sentence and the places.", shown: .forPeople, \.remark),
  ]

  private var remark: String {
    // The sentence of an import names its place itself.
    written.isEmpty ? sentence : "\(sentence): \(PlaceList(written).text)"
  }
}

/// Places in a mapping, such as `value 6` or `high of window 2`.
struct PlaceList {
  private let places: [ExportPlace]

  init(_ places: [ExportPlace]) { self.places = places }

  /// The places in one line, with runs of values drawn together: `values 6-21, high of window 2`.
  var text: String {
    var values: Set<Int> = []
    var others: [String] = []
    for place in places {
      if case .rule(.fine(let value)) = place {
        values.insert(Int(value.number))
      } else {
        others.append(place.words.english)
      }
    }
    var runs: [(first: Int, last: Int)] = []
    for value in values.sorted() {
      if let last = runs.last?.last, value == last + 1 {
        runs[runs.count - 1].last = value
      } else {
        runs.append((value, value))
      }
    }
    let spans = runs.map { $0.first == $0.last ? "\($0.first)" : "\($0.first)-\($0.last)" }
    let isOne = runs.count == 1 && runs[0].first == runs[0].last
    let words = spans.isEmpty ? [] : [(isOne ? "value " : "values ") + spans.joined(separator: ", ")]
    return (words + others).joined(separator: ", ")
  }
}
