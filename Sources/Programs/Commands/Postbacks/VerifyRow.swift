import Postbacks
import System
import Tables
import Values
import Verification

/// A postback with its verdict, as `skan verify` prints it.
struct VerifyRow {
  let index: Int
  /// The file that it is from; `nil` where there is only one.
  let file: String?
  let judgement: Judgement

  static let columns: [Column<Self>] = [
    Column("index", "index", "Number of the postback over all files, from 0.", \.index),
    Column("kind", "kind", "skan or aak.", \.judgement.kind.rawValue),
    Column("version", "version", "Version of the postback; aak for AdAttributionKit.", \.judgement.version),
    Column("state", "state", "valid, invalid, unverifiable or malformed.", \.judgement.state.rawValue),
    Column(
      "environment", "environment", "Environment of the key that signed it.",
      \.judgement.environment?.rawValue),
    Column(
      "reason", "reason", "Why it is not valid, by code.", shown: .forPrograms, \.judgement.reason?.english),
    Column("warnings", "warnings", "Oddities of a postback, by code.", shown: .forPrograms) {
      $0.judgement.warnings.map(\.description)
    },
    Column("id", "id", "Its transaction-id or postback-identifier.") {
      $0.judgement.id.map { Identifier($0) }
    },
    Column("file", "file", "File of the postback.", shown: .forPeople) { $0.file.map { Identifier($0) } },
    Column("remarks", "reason and warnings", "Why it is not valid, and oddities.", shown: .forPeople) {
      ([$0.judgement.reason?.english].compactMap { $0 } + $0.judgement.warnings.map(\.description))
        .joined(separator: "; ")
    },
  ]
}

extension VerdictState {
  /// The colour of the word on a terminal.
  var color: Color {
    switch self {
    case .valid: .green
    case .invalid, .malformed: .red
    case .unverifiable: .yellow
    }
  }
}
