package import JSONText
import Ledger
package import MappingLibrary
import Mappings
import Postbacks
import Values

extension MappingCatalog {
  /// The mappings in force as one JSON document: when each began, and when the next one took its place; and the files
  /// that were rejected.
  package var json: JSONOutput {
    .object([
      .init(
        "mappings",
        .array(
          stored.enumerated().map { index, mapping in
            let read = version(mapping)
            return .object([
              .init("file", .string(mapping.source)), .init("app", .integer(mapping.app.number)),
              .init("name", .optional(read?.name)),
              .init("effective-from", .string("\(mapping.effectiveFrom)")),
              .init("effective-to", .optional(end(of: index).map { "\($0)" })),
              .init("protocol", .optional(read?.device.rawValue)),
              .init("currency", .optional(read?.currency.text)),
              .init("sha-256", .string(mapping.digest)), .init("loaded-at", .string("\(mapping.loadedAt)")),
              .init("is-readable", .bool(read != nil)),
            ])
          })),
      .init(
        "rejected",
        .array(
          rejected.map { file in
            [
              "file": .string(file.source), "state": .string(file.state), "reason": .string(file.reason),
              "since": .string("\(file.since)"), "keeps-old": .bool(file.keepsOld),
            ]
          })),
    ])
  }

  /// The mappings in force as a table for people, and the files that were rejected.
  package var table: String {
    guard !rejected.isEmpty else { return inForceTable }
    var table = TextTable([.init("rejected file"), .init("since"), .init("why")])
    for file in rejected {
      let old = file.keepsOld ? "; its last good state stays in force" : ""
      table.add([printable(file.source), "\(file.since)", "\(file.state): \(printable(file.reason))\(old)"])
    }
    return "\(inForceTable)\n\(table.text)"
  }

  private var inForceTable: String {
    guard !stored.isEmpty else { return "no mappings\n" }
    var table = TextTable([
      .init("app", isNumeric: true), .init("name"), .init("from"), .init("to"), .init("protocol"),
      .init("file"),
    ])
    for (index, mapping) in stored.enumerated() {
      let read = version(mapping)
      table.add([
        "\(mapping.app.number)", read.map { printable($0.name) } ?? "can't be understood; load it again",
        "\(mapping.effectiveFrom)", end(of: index).map { "\($0)" } ?? "", read?.device.rawValue ?? "",
        printable(mapping.source),
      ])
    }
    return table.text
  }

  private func version(_ stored: StoredMapping) -> Mapping? {
    histories[stored.app]?.versions.first { $0.effectiveFrom == stored.effectiveFrom }
  }

  /// When the next version of the same app takes the place of one; they are in order.
  private func end(of index: Int) -> Instant? {
    guard index + 1 < stored.count, stored[index + 1].app == stored[index].app else { return nil }
    return stored[index + 1].effectiveFrom
  }
}
