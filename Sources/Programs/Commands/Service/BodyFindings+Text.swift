import JSONText
import Ledger
import Tables
import Values

extension BodyFindings {
  /// What was verified, and what could not be, in one sentence without a full stop.
  var sentence: String {
    let open = unverified.filter { $0.count > 0 }.map { "\(grouped($0.count)) \($0.why)" }
    let digests = "\(counted(digested, "digest")) of stored bodies \(digested == 1 ? "agrees" : "agree")"
    let signatures = "\(counted(verified, "signature")) \(verified == 1 ? "is" : "are") valid"
    return "\(digests), and \(signatures)"
      + (open.isEmpty ? "" : "; not verified: \(open.joined(separator: ", "))")
  }

  /// What could not be verified, and why.
  private var unverified: [(name: String, count: Int, why: String)] {
    [
      ("without-key", withoutKey, "signed by a key that was not given"),
      ("without-signature", withoutSignature, "without a signature"),
      ("without-body", withoutBody, "of which this node keeps only a digest"),
    ]
  }

  var faultTable: Table { Table(Self.columns, rows: faults) }

  private static let columns: [Column<BodyFault>] = [
    Column("table", "table", "Table of the body.", \.table),
    Column("row", "row", "Its row.") { NumberCell("\($0.row)") },
    Column("fault", "fault", "What is not as it came.") { $0.words },
  ]

  var json: JSONOutput {
    let list = faults.map { fault in
      JSONOutput.object([
        .init("table", .string(fault.table)), .init("row", .integer(fault.row)),
        .init("fault", .array(fault.parts.map { .string($0.rawValue) })),
      ])
    }
    let counts =
      [("agreeing-digests", digested), ("valid-signatures", verified)]
      + unverified.map { ($0.name, $0.count) } + [("faulty", faulty)]
    return .object(
      counts.map { .init($0.0, .integer(Int64($0.1))) } + [.init("faults", .array(list))])
  }
}

extension BodyFault {
  /// The words of its parts.
  var words: String { parts.map(\.rawValue).joined(separator: ", ") }
}
