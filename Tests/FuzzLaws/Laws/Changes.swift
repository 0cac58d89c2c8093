import Ledger

extension FuzzTarget {
  /// Bytes of changes: each change is read or has a reason why not, and what was read has bytes that read alike.
  static let change = FuzzTarget(
    "change", dictionary: ["\u{01}", "\u{05}", "spend", "campaign_name", "saved_view"]
  ) {
    bytes in
    var decoder = ChangeDecoder(bytes)
    var changes: [AnyChange] = []
    while decoder.rest > 0 {
      let before = decoder.rest
      guard let next = try? AnyChange.next(in: &decoder) else { break }
      try law(decoder.rest < before, "each change takes bytes")
      if case .success(let change) = next { changes.append(change) }
    }
    let written = AnyChange.bytes(of: changes)
    var again = ChangeDecoder(written)
    var count = 0
    while again.rest > 0 {
      guard case .success? = try? AnyChange.next(in: &again) else { break }
      count += 1
    }
    try law(count == changes.count && again.rest == 0, "what was read is written so that it reads alike")
  }
}
