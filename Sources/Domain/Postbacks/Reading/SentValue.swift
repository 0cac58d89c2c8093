import JSONText

/// The unsigned value members as they were sent, and the rules for reading them.
struct SentValue {
  let fine: JSONNumber?
  let coarse: String?

  /// Reads the members that the version documents, by their exact types.
  init(
    from members: inout MemberReader, hasCoarse: Bool, warnings: inout [PostbackWarning]
  ) throws(PostbackDefect) {
    fine = try members.optionalNumber(.conversionValue)
    coarse = hasCoarse ? try members.optionalClaim(.coarseConversionValue, &warnings) : nil
  }

  /// What the value is worth in a postback of this kind; every rejection adds its warning.
  ///
  /// Source: Apple, "Receiving postbacks in multiple conversion windows" (values by window and tier) and
  /// "Identifying the parameters in install-validation postbacks" (ranges; never both).
  func judged(
    didWin: Bool, window: ConversionWindow, source: SourceIdentifier?, warnings: inout [PostbackWarning]
  ) -> ConversionValue {
    let fineValue = fineValue(&warnings)
    let coarseValue = coarseValue(source: source, &warnings)
    // What is no value in one member does not touch the other one.
    let value: ConversionValue
    switch (fineValue, coarseValue) {
    case (nil, nil): return .absent
    case (let fine?, nil): value = fine
    case (nil, let coarse?): value = coarse
    case (.rejected?, let coarse?): value = coarse
    case (let fine?, .rejected?): value = fine
    case (_?, _?):
      warnings.append(.bothValues)
      value = .rejected
    }
    if fineValue != nil, window != .first { warnings.append(.fineValueInLaterWindow) }
    if !didWin { warnings.append(.valueWithoutWin) }
    if case .fine = value, window != .first { return .rejected }
    return didWin ? value : .rejected
  }

  /// The value of `conversion-value`; `nil` where it is not there.
  private func fineValue(_ warnings: inout [PostbackWarning]) -> ConversionValue? {
    guard let fine else { return nil }
    if let number = fine.integer.flatMap({ FineValue($0) }), fine.text.utf8.first != UInt8(ascii: "-") {
      return .fine(number)
    }
    warnings.append(.valueOutOfRange)
    return .rejected
  }

  /// The value of `coarse-conversion-value`; `nil` where it is not there.
  private func coarseValue(source: SourceIdentifier?, _ warnings: inout [PostbackWarning]) -> ConversionValue?
  {
    guard let coarse else { return nil }
    let lowered = coarse.lowercased()
    guard let word = CoarseValue.allCases.first(where: { haveSameBytes($0.rawValue, lowered) }) else {
      warnings.append(.unknownCoarseWord)
      return .rejected
    }
    if !haveSameBytes(coarse, lowered) { warnings.append(.coarseCase) }
    if source?.text.utf8.count == 4 { warnings.append(.coarseBesideFourDigits) }
    return .coarse(word)
  }
}
