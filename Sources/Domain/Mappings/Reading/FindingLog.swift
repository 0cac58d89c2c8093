import JSONText
import Values

/// Collects what is wrong with a file, in the order in which it is found.
struct FindingLog {
  /// The most findings that are kept: a broken file can be wrong in a million places.
  static let most = 200

  let lines: LineIndex
  private(set) var findings: [MappingFinding] = []
  /// How many errors there were, kept or not.
  private(set) var count = 0

  init(_ bytes: [UInt8]) { lines = LineIndex(bytes) }

  mutating func report(
    _ code: MappingFinding.Code, _ place: Place, _ sentence: Sentence, hint: Sentence? = nil,
    repair: MappingRepair? = nil
  ) {
    add(
      MappingFinding(
        code: code, position: lines.position(ofByte: place.offset), path: place.path, sentence: sentence,
        hint: hint, slot: place.slot, repair: repair))
  }

  mutating func report(
    _ code: RuleCode, _ place: Place, _ sentence: Sentence, hint: Sentence? = nil,
    repair: MappingRepair? = nil
  ) {
    report(.rule(code), place, sentence, hint: hint, repair: repair)
  }

  mutating func report(_ problem: JSONProblem, hint: Sentence? = nil) {
    // A finding of an amount has no place in its sentence: it is one on all amounts.
    let sentence =
      if case .amount(let defect) = problem.kind { defect.sentence } else {
        Sentence("this \(problem.predicate)")
      }
    report(problem, sentence, hint: hint)
  }

  private mutating func report(_ problem: JSONProblem, _ sentence: Sentence, hint: Sentence? = nil) {
    report(
      problem.code, Place(offset: problem.offset, path: problem.path), sentence,
      hint: hint ?? problem.cure, repair: MappingRepair(problem))
  }

  /// The same log before anything was found.
  var cleared: FindingLog {
    var log = self
    log.findings = []
    log.count = 0
    return log
  }

  mutating func add(_ finding: MappingFinding) {
    if finding.severity == .error { count += 1 }
    guard findings.count < Self.most else { return }
    findings.append(finding)
  }

  /// Reads a value that may be missing, and reports the problem of one that is wrong; `nil` for both.
  mutating func read<Value>(
    _ at: JSONPlace?, _ body: (JSONPlace) throws(JSONProblem) -> Value
  ) -> Value? {
    guard let at else { return nil }
    do throws(JSONProblem) { return try body(at) } catch {
      report(error)
      return nil
    }
  }

  /// Takes a value as an object of a sort, reporting members that it lacks or should not have.
  mutating func members(_ at: JSONPlace, _ sort: ObjectSort) -> JSONMembers? {
    guard let members = read(at, { (at) throws(JSONProblem) in try at.members() }) else { return nil }
    for problem in members.problems(sort.form, atMost: max(0, Self.most - count)) {
      switch problem.kind {
      case .unknownMember(let name, _, let known, let meant):
        let names = known.map { quoted($0) }.joined(separator: ", ")
        report(
          problem, Sentence("\(sort.words) has no member \(name: quoted(name))"),
          hint: meant == nil ? Sentence("It can have \(code: names).") : nil)
      case .missingMember(let name, _):
        report(problem, Sentence("\(sort.words) needs a member \(code: quoted(name))"))
      default: report(problem)
      }
    }
    return members
  }
}

extension JSONPlace {
  var place: Place { Place(offset: offset, path: path) }
}

extension JSONProblem {
  fileprivate var code: MappingFinding.Code {
    switch kind {
    case .wrongType: .rule(.wrongType)
    case .emptyText: .rule(.emptyText)
    case .outOfRange, .other: .rule(.outOfRange)
    case .amount(let defect): .amount(defect)
    case .unknownWord: .rule(.unknownWord)
    case .unknownCurrency: .rule(.currencyNotListed)
    case .invalidDate: .rule(.invalidDate)
    case .tooMany: .rule(.tooManyRules)
    case .unknownMember: .rule(.unknownMember)
    case .missingMember: .rule(.missingMember)
    }
  }
}
