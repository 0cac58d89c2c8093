package import Ledger
package import Values

package struct ReportSource {
  package let reader: LedgerReader
  package let now: Instant
  /// Keeps what several answers are made of; `nil` where one question is asked alone.
  package var keeper: PartKeeper?
  /// Whether answers may lack new conversions for some minutes, and state since when.
  package var canBeBehind = false
  /// Whether what the keeper does not have may be made now, or else ``PartIsMissing`` is thrown.
  package var makesParts = true

  /// The same, with all conversions.
  package var upToDate: Self {
    var source = self
    source.canBeBehind = false
    return source
  }

  /// - Parameter keeper: Has what the reader keeps of imported rows from now on, too.
  package init(reader: LedgerReader, now: Instant, keeper: PartKeeper? = nil, canBeBehind: Bool = false) {
    self.reader = reader
    self.now = now
    (self.keeper, self.canBeBehind) = (keeper, canBeBehind)
    if let keeper { reader.memory = keeper.rows }
  }
}
