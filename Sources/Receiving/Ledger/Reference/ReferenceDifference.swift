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
    let (old, given) = (KeyedRows(stored, in: table), KeyedRows(imported, in: table))
    let new = KeyedRows(table.merge(stored, given.all), in: table)
    for (key, row) in zip(new.keys, new.all) {
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
    gone = old.keys.filter { new[$0] == nil }.compactMap { old[$0] }
    for row in gone { changes.note(row, becomes: nil) }
    changes.removed = gone.count
  }
}

extension ReferenceChanges {
  package static func += (a: inout Self, b: Self) {
    a.added += b.added
    a.changed += b.changed
    a.same += b.same
    a.removed += b.removed
    a.adjusted += b.adjusted.prefix(max(0, mostAdjusted - a.adjusted.count))
    for replaced in b.replaced { a.note(replaced.stored, becomes: replaced.given) }
  }
}

/// Rows by their keys, in the order in which the keys came first; of two rows with one key the later one.
private struct KeyedRows<Row: Hashable & Sendable> {
  private(set) var keys: [[ReferenceField]] = []
  private var rows: [[ReferenceField]: Row] = [:]

  init(_ rows: [Row], in table: ReferenceTable<Row>) {
    for row in rows {
      let key = table.key(of: row)
      if self.rows.updateValue(row, forKey: key) == nil { keys.append(key) }
    }
  }

  subscript(_ key: [ReferenceField]) -> Row? { rows[key] }

  var all: [Row] { keys.compactMap { rows[$0] } }
}
