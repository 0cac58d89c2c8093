import JSONText

/// The unsigned value members as they were sent, and the rules for reading them.
struct SentValue {
  let fine: JSONNumber?
  let coarse: String?

  /// Reads the members that the version documents, by their exact types.
  init(from members: inout MemberReader, hasCoarse: Bool) throws(PostbackDefect) {
    fine = try members.optionalNumber(.conversionValue)
    coarse = hasCoarse ? try members.optionalString(.coarseConversionValue) : nil
  }

  /// What the value is worth in a postback of this kind; every rejection adds its warning.
  ///
  /// Source: Apple, "Receiving postbacks in multiple conversion windows" (values by window and tier) and
  /// "Identifying the parameters in install-validation postbacks" (ranges; never both).
  func judged(
    didWin: Bool, window: ConversionWindow, source: SourceIdentifier?, warnings: inout [PostbackWarning]
  ) -> ConversionValue {
    guard fine != nil || coarse != nil else { return .absent }
    let warningsBefore = warnings.count
    var value = ConversionValue.rejected
    if let fine {
      if let number = fine.integer.flatMap({ FineValue($0) }), fine.text.utf8.first != UInt8(ascii: "-") {
        value = .fine(number)
      } else {
        warnings.append(.valueOutOfRange)
      }
      if window != .first { warnings.append(.fineValueInLaterWindow) }
    }
    var kept = 0
    if let coarse {
      let lowered = coarse.lowercased()
      if let word = CoarseValue.allCases.first(where: { haveSameBytes($0.rawValue, lowered) }) {
        value = .coarse(word)
        if !haveSameBytes(coarse, lowered) {
          warnings.append(.coarseCase)
          kept += 1
        }
      } else {
        warnings.append(.unknownCoarseWord)
      }
      if source?.text.utf8.count == 4 {
        warnings.append(.coarseBesideFourDigits)
        kept += 1
      }
    }
    if fine != nil, coarse != nil { warnings.append(.bothValues) }
    if !didWin { warnings.append(.valueWithoutWin) }
    return warnings.count - warningsBefore == kept ? value : .rejected
  }
}
