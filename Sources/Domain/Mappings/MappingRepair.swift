public import JSONText
package import Values

/// A change of a mapping file that ends a finding, or at least is what its hint asks for.
public struct MappingRepair: Hashable, Sendable {
  /// What it does, as a short order: `Sort the edges`.
  package let title: Sentence
  /// The changes, each on what the one before left.
  public let edits: [JSONEdit]

  init(_ title: Sentence, _ edits: [JSONEdit]) {
    self.title = title
    self.edits = edits
  }

  /// Makes the change; `nil` where the text has nothing at its places.
  public func applied(to bytes: [UInt8]) -> [UInt8]? { JSONEdit.apply(edits, to: bytes) }
}

extension MappingRepair {
  /// Puts a word in the place of one that is probably misspelt; `nil` where none is near.
  init?(_ problem: JSONProblem) {
    switch problem.kind {
    case .unknownMember(_, _, _, let meant?):
      self.init(Sentence("Rename it to \(code: quoted(meant))"), [.rename(problem.path, meant)])
    case .unknownWord(let word, let known):
      guard let meant = NameGuess.meant(by: word, among: known, synonyms: MappingWords.synonyms) else {
        return nil
      }
      self.init(Sentence("Write \(code: quoted(meant))"), [.set(problem.path, .string(meant))])
    default: return nil
    }
  }

  /// Deletes a rule of its own; `nil` where the rule is one of a grid or the only one of its member.
  init?(deleting rule: JSONPath) {
    guard case .element? = rule.steps.last, rule.steps.first != .member("grids") else { return nil }
    self.init(Sentence("Delete this rule"), [.remove(rule)])
  }

  init(unlocking rule: JSONPath) {
    self.init(Sentence("Remove the lock"), [.remove(rule.member("lock"))])
  }

  /// Sorts the edges of ranges, each once; `nil` where one is no number.
  init?(sorting edges: JSONPlace) {
    guard let elements = edges.elements else { return nil }
    let isOpen = elements.last?.node.value == .null
    var amounts: [(amount: Amount, text: JSONOutput)] = []
    for element in isOpen ? elements.dropLast() : elements {
      guard let amount = try? element.amount() else { return nil }
      amounts.append((amount, JSONOutput(element.node.value)))
    }
    amounts.sort { $0.amount < $1.amount }
    var sorted: [JSONOutput] = []
    for index in amounts.indices where index == 0 || amounts[index - 1].amount < amounts[index].amount {
      sorted.append(amounts[index].text)
    }
    guard sorted.count + (isOpen ? 1 : 0) >= 2 else { return nil }
    self.init(Sentence("Sort the edges"), [.set(edges.path, .array(sorted + (isOpen ? [.null] : [])))])
  }

  /// Joins two numbers that a comma separates where a point was meant.
  init?(joining first: JSONPath, with amount: String) {
    guard case .element(let index)? = first.steps.last, let number = JSONNumber(amount) else { return nil }
    let array = JSONPath(steps: first.steps.dropLast())
    self.init(
      Sentence("Write \(code: amount)"), [.set(first, .number(number)), .remove(array.element(index + 1))])
  }
}
