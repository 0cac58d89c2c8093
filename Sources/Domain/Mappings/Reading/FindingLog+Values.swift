import JSONText
import Values

// Each of these reports what is wrong and then returns nil, as it does where there is nothing to read.

extension FindingLog {
  mutating func text(_ at: JSONPlace?) -> String? {
    read(at) { (at) throws(JSONProblem) in try at.text() }
  }

  mutating func truth(_ at: JSONPlace?) -> Bool? {
    read(at) { (at) throws(JSONProblem) in try at.truth() }
  }

  mutating func integer(_ at: JSONPlace?, in range: ClosedRange<Int64>, hint: Sentence? = nil) -> Int64? {
    guard let at else { return nil }
    do throws(JSONProblem) { return try at.integer(in: range) } catch {
      // The hint is about the range.
      if case .outOfRange = error.kind { report(error, hint: hint) } else { report(error) }
      return nil
    }
  }

  mutating func amount(_ at: JSONPlace?) -> Amount? {
    read(at) { (at) throws(JSONProblem) in try at.amount() }
  }

  mutating func currency(_ at: JSONPlace?) -> CurrencyCode? {
    read(at) { (at) throws(JSONProblem) in try at.currency() }
  }

  mutating func instant(_ at: JSONPlace?) -> Instant? {
    read(at) { (at) throws(JSONProblem) in try at.instant() }
  }

  mutating func word<Word: RawRepresentable<String> & CaseIterable>(_ at: JSONPlace?) -> Word? {
    read(at) { (at) throws(JSONProblem) in try at.word(synonyms: MappingWords.synonyms) }
  }

  /// Reads an array element by element; elements that are wrong are left out.
  mutating func list<Element>(
    _ at: JSONPlace?, atMost most: Int = 512, _ read: (inout FindingLog, JSONPlace) -> Element?
  ) -> [Element] {
    let elements = self.read(at) { (at) throws(JSONProblem) in try at.list(atMost: most) }
    return (elements ?? []).compactMap { read(&self, $0) }
  }
}
