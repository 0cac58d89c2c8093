struct ReferenceGroups<Row: Hashable & Sendable> {
  private(set) var order: [[ReferenceTable<Row>.Field]] = []
  private(set) var rows: [[ReferenceTable<Row>.Field]: [Row]] = [:]

  init(_ rows: [Row], in table: ReferenceTable<Row>) {
    for row in rows {
      let group = table.group(of: row)
      if self.rows[group] == nil { order.append(group) }
      self.rows[group, default: []].append(row)
    }
  }
}

struct ReferenceDifference<Row: Hashable & Sendable> {
  var changes = ReferenceChanges<Row>()
  private(set) var gone: [Row] = []
  private(set) var written: [Row] = []

  init(stored: [Row], imported: [Row], in table: ReferenceTable<Row>) {
    func byKey(_ rows: [Row]) -> [[ReferenceTable<Row>.Field]: Row] {
      Dictionary(rows.map { (table.key(of: $0), $0) }, uniquingKeysWith: { $1 })
    }
    let (old, given) = (byKey(stored), byKey(imported))
    let new = byKey(table.merge(stored, Array(given.values)))
    for (key, row) in new {
      let before = old[key]
      if given[key] != nil {
        if before == nil {
          changes.added += 1
        } else if before == row {
          changes.same += 1
        } else {
          changes.changed += 1
          if let before { changes.note(before, becomes: row) }
        }
      }
      guard before != row else { continue }
      written.append(row)
      if let source = given[key] ?? before, source != row {
        changes.adjusted.append(.init(given: source, stored: row))
      }
    }
    gone = old.filter { new[$0.key] == nil }.map(\.value)
    for row in gone { changes.note(row, becomes: nil) }
    changes.removed = gone.count
  }
}

extension ReferenceChanges {
  static func += (a: inout Self, b: Self) {
    a.added += b.added
    a.changed += b.changed
    a.same += b.same
    a.removed += b.removed
    a.adjusted += b.adjusted
    for replaced in b.replaced { a.note(replaced.stored, becomes: replaced.given) }
  }
}
