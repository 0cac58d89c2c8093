public import Values

/// A value of a JSON document with the way to it, and the one reader of what people write there.
///
/// Every getter throws the ``JSONProblem`` of a value that is not what belongs there, null included.
public struct JSONPlace: Equatable, Sendable {
  public let node: JSONNode
  public let path: JSONPath

  public init(_ node: JSONNode, _ path: JSONPath = .root) {
    self.node = node
    self.path = path
  }

  /// The first byte of the value.
  public var offset: Int { node.range.lowerBound }

  public var elements: [JSONPlace]? {
    node.value.array.map { $0.enumerated().map { JSONPlace($1, path.element($0)) } }
  }

  package func problem(_ kind: JSONProblem.Kind, cure: Sentence? = nil) -> JSONProblem {
    JSONProblem(kind: kind, offset: offset, path: path, found: node.value.sort, cure: cure)
  }

  /// A problem that only this document's reader knows of, as the words behind the value's path.
  public func mistake(_ words: String, cure: String? = nil) -> JSONProblem {
    problem(.other(words), cure: cure.map { Sentence("\(code: $0)") })
  }

  /// The problem of a value of another type than the one that belongs there.
  package func wrongType(_ expected: Sentence, _ wanted: JSONWanted? = nil) -> JSONProblem {
    problem(.wrongType(expected: expected), cure: wanted.flatMap { node.value.cure(for: $0) })
  }
}

extension JSONPlace {
  /// A text that is not empty.
  public func text() throws(JSONProblem) -> String {
    guard let text = node.value.string else { throw wrongType(Sentence("a string"), .text) }
    guard !text.isEmpty else { throw problem(.emptyText) }
    return text
  }

  public func truth() throws(JSONProblem) -> Bool {
    guard let truth = node.value.bool else { throw wrongType(Sentence("true or false"), .truth) }
    return truth
  }

  /// A whole number within bounds, written without fraction and exponent.
  public func integer(in range: ClosedRange<Int64>) throws(JSONProblem) -> Int64 {
    guard let number = node.value.number, number.isPlainInteger else {
      throw wrongType(JSONProblem.words(range), .integer)
    }
    guard let integer = number.integer, range.contains(integer) else {
      let digits = number.text.utf8.count
      throw problem(
        .outOfRange(
          range,
          found: digits <= 24
            ? Sentence("\(code: number.text)") : Sentence("a number of \(digits) digits")))
    }
    return integer
  }

  /// The digits of an amount, written as a number or a text.
  public func digits() throws(JSONProblem) -> String {
    guard let digits = node.value.number?.text ?? node.value.string else {
      throw wrongType(Sentence("an amount"), .amount)
    }
    return digits
  }

  /// An amount, written as a number or a text.
  public func amount() throws(JSONProblem) -> Amount {
    let digits = try digits()
    do throws(Amount.Defect) { return try Amount(decimal: digits) } catch {
      throw problem(
        .amount(error), cure: Amount.meant(by: digits).map { Sentence("Did you mean \(code: $0)?") })
    }
  }

  /// A cell of a row: a text, or a number as it is written where one can stand for a text; `nil` for null.
  public func cell(isNumberAllowed: Bool = true) throws(JSONProblem) -> String? {
    switch node.value {
    case .null: nil
    case .string(let text): text
    case .number(let number) where isNumberAllowed: number.text
    default:
      throw wrongType(
        isNumberAllowed ? Sentence("a string or a number") : Sentence("a string"), .text)
    }
  }

  /// A currency of ISO 4217.
  public func currency() throws(JSONProblem) -> CurrencyCode {
    let text = try text()
    if let code = CurrencyCode(text) { return code }
    let all = CurrencyCode.names.keys.sorted()
    let meant =
      CurrencyCode(anyCase: text)?.text
      ?? (text.utf8.count <= NameGuess.longest
        ? all.first { CurrencyCode.names[$0]?.lowercased() == text.lowercased() }
          ?? nearest(to: text.uppercased(), among: all) : nil)
    throw problem(
      .unknownCurrency(text),
      cure: meant.flatMap { CurrencyCode($0) }.map {
        Sentence("Did you mean \(code: quoted($0.text)), \(code: $0.name)?")
      })
  }

  /// A date or a moment of RFC 3339.
  public func instant() throws(JSONProblem) -> Instant {
    let text = try text()
    guard let instant = Instant(text) else {
      throw problem(
        .invalidDate(text),
        cure: Instant.mistake(in: text).map {
          Sentence("\(beginning: $0).")
        } ?? Sentence("Write it like \"2026-11-01\" or \"2026-11-01T08:00:00Z\"."))
    }
    return instant
  }

  public func word<Word: RawRepresentable<String> & CaseIterable>(
    _: Word.Type = Word.self, synonyms: [String: [String]] = [:]
  ) throws(JSONProblem) -> Word {
    let text = try text()
    if let word = Word(rawValue: text) { return word }
    let known = Word.allCases.map(\.rawValue)
    let meant = NameGuess.meant(by: text, among: known, synonyms: synonyms)
    throw problem(
      .unknownWord(text, known: known), cure: meant.map { Sentence("Did you mean \(code: quoted($0))?") })
  }

  public func list(atMost most: Int = .max) throws(JSONProblem) -> [JSONPlace] {
    guard let array = node.value.array else { throw wrongType(Sentence("an array"), .array) }
    guard array.count <= most else { throw problem(.tooMany(array.count, most: most)) }
    return elements ?? []
  }

  /// The members of an object, whatever their names; ``JSONMembers/problems(_:atMost:)`` looks at those.
  public func members() throws(JSONProblem) -> JSONMembers {
    guard let object = node.value.object else { throw wrongType(Sentence("an object"), .object) }
    return JSONMembers(object, at: self)
  }

  /// The members of an object that has those it needs and no others than it may have.
  public func members(_ form: JSONForm) throws(JSONProblem) -> JSONMembers {
    let members = try members()
    if let problem = members.problems(form).first { throw problem }
    return members
  }
}
